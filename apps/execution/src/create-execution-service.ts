import { topicNames } from '@capability-router/contracts';
import type { Tail } from '@capability-router/event-bus';
import { eventTableSource } from '@capability-router/event-store';
import { JsonPathPool, type ProviderAdapter } from '@capability-router/provider-kit';
import {
  createNestApp,
  HoldReleases,
  openServiceDatabase,
  PeriodicTasks,
  type Readiness,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { ParameterValidator } from '@capability-router/tool-calls';
import type { ExecutionConfig } from './config.js';
import { CredentialStore } from './credentials/credential-store.js';
import { followCredentials } from './credentials/follow-credentials.js';
import { signInCheck } from './call/admission/sign-in-check.js';
import { BillingClient } from './call/hold/billing-client.js';
import { ExecuteTool } from './call/execute-tool.js';
import { ExecutionJournal } from './call/journal/execution-journal.js';
import { AnswerSource } from './call/outcome/obtain-answer.js';
import { openResultCache } from './provider-cache/open-result-cache.js';
import { ExecuteOncePerKey } from './idempotency/execute-once-per-key.js';
import { AnswerKeeper } from './idempotency/kept-answer.js';
import { keyedRequestMetrics } from './idempotency/keyed-request-metrics.js';
import { executionModule } from './execution.module.js';
import { LookUpExecution } from './look-up/look-up-execution.js';
import { OwnerLease } from './call/journal/owner-lease.js';
import { migrations } from './migrations/index.js';
import { createProviders, type Providers } from './providers/create-providers.js';
import { ResultShaper } from './result-shaping/result-shaper.js';
import { KeptResults } from './result-shaping/store/kept-results.js';
import { OutcomeReviser } from './revisions/revise-outcome.js';
import { openResultStore } from './result-shaping/store/open-result-store.js';
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
  const { bus, logger } = runtime;
  const {
    dataSource,
    pool,
    clock,
    health: database,
  } = await openServiceDatabase(runtime, config, migrations, { lockTimeoutMs: LOCK_TIMEOUT_MS });
  const journal = new ExecutionJournal(pool, clock, () => bus.nudge('execution'));
  const lease = new OwnerLease(pool, clock, logger, config.leaseMs);
  const tools = new ToolDirectory();
  const jsonPathOptions = {
    maxProcesses: config.providers.jsonPathMaxProcesses,
    onFault: (err: unknown): void => logger.error({ err }, 'a process that evaluates JSONPath failed'),
  };
  const jsonPaths = new JsonPathPool(jsonPathOptions);
  // Processes of their own: what callers write may run to its limit, and must not keep tools from reading their results.
  const callersJsonPaths = new JsonPathPool(jsonPathOptions);
  const credentials = new CredentialStore(pool, clock, config.credentialKeys);
  const provider: ProviderAdapter & Partial<Providers> =
    replacement ??
    createProviders({ config: config.providers, jsonPaths, logger, metrics: runtime.metrics, credentials });
  const resultCache = openResultCache(config.providerCache, clock, logger);
  const store = await openResultStore(config.resultStore.place);
  const keptResults = new KeptResults({ store, pool, clock, limits: config.resultStore, registry: runtime.metrics });
  const shaper = new ResultShaper({
    store: keptResults,
    jsonPaths: callersJsonPaths,
    linkKey: config.resultLinkKey,
    linkLifetimeMs: config.resultStore.lifetimeMs,
    publicUrl: runtime.publicUrl,
    clock,
    logger,
  });
  const { keyLifetimeMs, maxAnswerBytes } = config.idempotency;
  const answerKeeper = new AnswerKeeper({
    store: keptResults,
    shaper,
    resultLifetimeMs: config.resultStore.lifetimeMs,
    maxAnswerBytes,
    lifetimeMs: keyLifetimeMs,
    clock,
    logger,
  });
  const billing = new BillingClient(runtime.clients.billing, config.holdTimeoutMs);
  const holdReleases = new HoldReleases(runtime.clients.billing, logger);
  const executeTool = new ExecuteTool({
    tools,
    validator: new ParameterValidator(),
    journal,
    billing,
    holdReleases,
    answers: new AnswerSource({ provider, jsonPaths, credentials, cached: resultCache.cache, clock, logger }),
    signIn: signInCheck(credentials),
    shaper,
    keeper: answerKeeper,
    lease,
    clock,
    faults: config.faults,
    logger,
  });
  const app = await createNestApp(
    executionModule({
      pool,
      clock,
      logger,
      config,
      journal,
      holdReleases,
      executeTool: new ExecuteOncePerKey(
        executeTool,
        pool,
        answerKeeper,
        keyLifetimeMs,
        keyedRequestMetrics(runtime.metrics),
      ),
      lookUp: new LookUpExecution(pool, answerKeeper, billing),
      keptResults,
      resultLinkKey: config.resultLinkKey,
      credentials: { pool, clock, logger, store: credentials, tools },
      outcomeReviser: new OutcomeReviser(pool, journal, clock, () => bus.nudge('execution')),
      breakers: { replicaId: lease.ownerId, breakers: () => provider.breakers?.() ?? [] },
    }),
    {
      service: 'execution',
      logger,
      metrics: runtime.metrics,
      tokens: runtime.tokens,
      events: { bus, pool },
      bodyLimitBytes: config.bodyLimitBytes,
    },
  );
  bus.publishFrom(pool, 'execution', [eventTableSource([topicNames.executions])]);

  let tail: Tail | undefined;
  let credentialTail: Tail | undefined;
  return {
    name: 'execution',
    fastify: app.getHttpAdapter().getInstance(),
    database,
    ready: (): Readiness => {
      if (!lease.isHeld()) return { ready: false, detail: 'the execution lease is not held' };
      if (tail?.caughtUp() !== true) return { ready: false, detail: 'the tool copies are being loaded' };
      return clock.judge(bus.health());
    },
    async start() {
      await Promise.all([lease.start(), provider.start?.()]);
      tail = await followToolCopies(pool, tools, logger);
      credentialTail = await followCredentials(
        pool,
        credentials,
        (revision) => provider.forgetCredential?.(revision),
        logger,
      );
      app.get(PeriodicTasks).start();
    },
    async stop() {
      await app.get(PeriodicTasks).stop();
      await Promise.all([tail?.stop(), credentialTail?.stop()]);
      await app.close();
      await Promise.all([jsonPaths.close(), callersJsonPaths.close(), provider.close()]);
      resultCache.close();
      keptResults.close();
      await lease.stop().catch((err: unknown) => logger.warn({ err }, 'the execution lease runs out by itself'));
      await dataSource.destroy();
    },
  };
}
