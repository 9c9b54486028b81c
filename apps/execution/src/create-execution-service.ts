import { topicNames } from '@capability-router/contracts';
import type { Tail } from '@capability-router/event-bus';
import { eventTableSource } from '@capability-router/event-store';
import { builtinOperationsUrl } from '@capability-router/builtin-tools';
import { BuiltinAdapter, type ProviderAdapter } from '@capability-router/provider-kit';
import {
  createNestApp,
  openDatabase,
  type Readiness,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { startBackgroundTasks } from './background.js';
import type { ExecutionConfig } from './config.js';
import { BillingClient } from './execute/billing-client.js';
import { ExecuteTool } from './execute/execute-tool.js';
import { ExecutionJournal } from './execute/execution-journal.js';
import { executionModule } from './execution.module.js';
import { OwnerLease } from './lifecycle/owner-lease.js';
import { migrations } from './migrations/index.js';
import { ParameterValidator } from './parameters/parameter-validator.js';
import { FieldProjector } from './result-shaping/project-fields.js';
import { RESULT_LINK_LIFETIME_MS } from './result-shaping/result-link.js';
import { ResultShaper } from './result-shaping/result-shaper.js';
import { FileResultStore } from './result-shaping/result-store.js';
import { toolCopiesSubscription } from './tool-copies/copy-tools.js';
import { followToolCopies } from './tool-copies/follow-tool-copies.js';
import { ToolDirectory } from './tool-copies/tool-directory.js';

/** Bytes of a Call body; parameters of tools that take texts or tables are the largest. */
const BODY_LIMIT_BYTES = 1_048_576;

/**
 * Builds execution; nothing runs until `start`. Throws where the schema of its database is not this build's.
 * `provider` replaces the adapters of this deployment, for tests.
 */
export async function createExecutionService(
  config: ExecutionConfig,
  runtime: ServiceRuntime,
  provider: ProviderAdapter = builtinAdapter(config, runtime),
): Promise<RunningService> {
  const { bus, clock, logger } = runtime;
  const { dataSource, pool } = await openDatabase({ ...config.database, migrations, applicationName: 'execution' });
  const journal = new ExecutionJournal(pool, clock, () => bus.nudge('execution'));
  const lease = new OwnerLease(pool, clock, logger);
  const tools = new ToolDirectory();
  const projector = new FieldProjector();
  const resultStore = new FileResultStore({ ...config.resultStore, lifetimeMs: RESULT_LINK_LIFETIME_MS });
  const executeTool = new ExecuteTool({
    tools,
    validator: new ParameterValidator(),
    journal,
    billing: new BillingClient(runtime.clients.billing),
    provider,
    shaper: new ResultShaper({
      store: resultStore,
      projector,
      linkKey: config.resultLinkKey,
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
      bodyLimitBytes: BODY_LIMIT_BYTES,
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
      await Promise.all([projector.stop(), provider.close()]);
      await lease.stop().catch((err: unknown) => logger.warn({ err }, 'the execution lease runs out by itself'));
      await dataSource.destroy();
    },
  };
}

function builtinAdapter(config: ExecutionConfig, { logger }: ServiceRuntime): ProviderAdapter {
  return new BuiltinAdapter({
    operationsUrl: builtinOperationsUrl,
    maxThreads: config.builtinMaxThreads,
    onUnexpected: (toolId, detail) => logger.error({ toolId, detail }, 'a built-in tool failed unexpectedly'),
  });
}
