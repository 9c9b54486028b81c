import { MAX_PLAN_BODY_BYTES, topicNames } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import type { ProviderAdapter } from '@capability-router/provider-kit';
import {
  closeApp,
  createServiceApp,
  endInTurn,
  openServiceDatabase,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { OwnerLease, renewalMs } from './call/journal/owner-lease.js';
import type { ExecutionConfig } from './config.js';
import { ExecutionStart } from './execution-start.js';
import { ExecutionModule } from './execution.module.js';
import { migrations } from './migrations/index.js';
import { ToolCopiesFeed } from './tool-copies/tool-copies-feed.js';
import { ToolDirectory } from './tool-copies/tool-directory.js';

/** Milliseconds; one event that waits for another transaction must not hold up those it shares a statement with. */
const lockTimeoutMs = 1_000;

const plans = { bodyLimitBytes: MAX_PLAN_BODY_BYTES };

/** Nothing runs until `start`. Throws where the database's schema is not this build's. `replacement` is for tests. */
export async function createExecutionService(
  config: ExecutionConfig,
  runtime: ServiceRuntime,
  replacement?: ProviderAdapter,
): Promise<RunningService> {
  const { bus } = runtime;
  const opened = await openServiceDatabase(runtime, config, migrations, { lockTimeoutMs });
  const { dataSource, pool, clock, health } = opened;
  const leasePool = opened.openAside(renewalMs(config.leaseMs));
  const app = await createServiceApp(
    ExecutionModule.with({ leasePool, publicUrl: runtime.publicUrl, replacement }),
    { config, runtime, database: opened },
    {
      bodyLimitBytes: config.bodyLimitBytes,
      routes: { 'POST /internal/plans': plans, 'POST /internal/plans::refuse': plans },
    },
  );
  bus.publishFrom(pool, 'execution', [eventTableSource([topicNames.executions])]);
  const [lease, tools, directory] = [app.get(OwnerLease), app.get(ToolCopiesFeed), app.get(ToolDirectory)];
  return {
    name: 'execution',
    fastify: app.getHttpAdapter().getInstance(),
    database: health,
    ready: () => {
      if (!lease.isHeld()) return { ready: false, detail: 'the execution lease is not held' };
      if (!tools.caughtUp()) return { ready: false, detail: 'the tool copies are being loaded' };
      return clock.judge(bus.health());
    },
    knownTools: () => directory.published,
    start: () => app.get(ExecutionStart).start(),
    stop: () => endInTurn([() => closeApp(app), () => leasePool.end(), () => dataSource.destroy()]),
  };
}
