import { topicNames } from '@capability-router/contracts';
import type { Tail } from '@capability-router/event-bus';
import { eventTableSource } from '@capability-router/event-store';
import { JsonPathPool, type ProviderAdapter } from '@capability-router/provider-kit';
import {
  createNestApp,
  openDatabase,
  type Readiness,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { ParameterValidator } from '@capability-router/tool-calls';
import { startBackgroundTasks } from './background.js';
import type { ExecutionConfig } from './config.js';
import { BillingClient } from './execute/billing-client.js';
import { ExecuteTool } from './execute/execute-tool.js';
import { ExecutionJournal } from './execute/execution-journal.js';
import { executionModule } from './execution.module.js';
import { OwnerLease } from './lifecycle/owner-lease.js';
import { migrations } from './migrations/index.js';
import { createProviders } from './providers/create-providers.js';
import { ResultShaper } from './result-shaping/result-shaper.js';
import { FileResultStore } from './result-shaping/result-store.js';
import { toolCopiesSubscription } from './tool-copies/copy-tools.js';
import { followToolCopies } from './tool-copies/follow-tool-copies.js';
import { ToolDirectory } from './tool-copies/tool-directory.js';

/** Milliseconds; one event that waits for another transaction must not hold up those it shares a statement with. */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Builds execution; nothing runs until `start`. Throws where the schema of its database is not this build's.
 * `replacement` replaces the adapters of this deployment, for tests.
 */
export async function createExecutionService(
  config: ExecutionConfig,
  runtime: ServiceRuntime,
  replacement?: ProviderAdapter,
): Promise<RunningService> {
  const { bus, clock, logger } = runtime;
  const { dataSource, pool } = await openDatabase({
    ...config.database,
    migrations,
    applicationName: 'execution',
    lockTimeoutMs: LOCK_TIMEOUT_MS,
  });
  const journal = new ExecutionJournal(pool, clock, () => bus.nudge('execution'));
  const lease = new OwnerLease(pool, clock, logger, config.leaseMs);
  const tools = new ToolDirectory();
  const jsonPaths = new JsonPathPool({ maxThreads: config.providers.jsonPathMaxThreads });
  const provider =
    replacement ?? createProviders({ config: config.providers, jsonPaths, logger, metrics: runtime.metrics });
  const resultStore = new FileResultStore(config.resultStore);
  const executeTool = new ExecuteTool({
    tools,
    validator: new ParameterValidator(),
    journal,
    billing: new BillingClient(runtime.clients.billing, config.holdTimeoutMs),
    provider,
    // Accounts have no region yet; a tool that names regions is open to all of them until they have.
    regionOf: () => undefined,
    shaper: new ResultShaper({
      store: resultStore,
      jsonPaths,
      linkKey: config.resultLinkKey,
      linkLifetimeMs: config.resultStore.lifetimeMs,
      publicUrl: runtime.publicUrl,
      clock,
      logger,
    }),
    lease,
    clock,
    faults: config.faults,
    logger,
  });
  const app = await createNestApp(
    executionModule({ pool, clock, journal, executeTool, resultStore, resultLinkKey: config.resultLinkKey }),
    {
      service: 'execution',
      logger,
      metrics: runtime.metrics,
      tokens: runtime.tokens,
      bodyLimitBytes: config.bodyLimitBytes,
    },
  );
  bus.publishFrom(pool, 'execution', [eventTableSource([topicNames.executions])]);
  bus.subscribeShared(pool, toolCopiesSubscription);

  let tail: Tail | undefined;
  let background: { stop(): Promise<void> } | undefined;
  return {
    name: 'execution',
    fastify: app.getHttpAdapter().getInstance(),
    ready: (): Readiness => {
      if (!lease.isHeld()) return { ready: false, detail: 'the execution lease is not held' };
      if (tail?.caughtUp() !== true) return { ready: false, detail: 'the tool copies are being loaded' };
      return bus.health();
    },
    async start() {
      await lease.start();
      tail = await followToolCopies(pool, tools, logger);
      background = startBackgroundTasks({ pool, journal, clock, logger, resultStore, config });
    },
    async stop() {
      await background?.stop();
      await tail?.stop();
      await app.close();
      await Promise.all([jsonPaths.close(), provider.close()]);
      await lease.stop().catch((err: unknown) => logger.warn({ err }, 'the execution lease runs out by itself'));
      await dataSource.destroy();
    },
  };
}
