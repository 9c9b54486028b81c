import { topicNames, type ContextName, type EndStatesResponse } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import { createNestApp, openDatabase, type RunningService, type ServiceRuntime } from '@capability-router/service-kit';
import { billingModule } from './billing.module.js';
import { purgeBudgets } from './budgets/purge-budgets.js';
import type { BillingConfig } from './config.js';
import { eraseAccounts } from './erasure/erase-accounts.js';
import { sweepHolds, type HoldOwners } from './holds/hold-sweeper.js';
import { ledgerOutbox } from './ledger/ledger-outbox.js';
import { registerBillingMetrics } from './metrics.js';
import { migrations } from './migrations/index.js';
import { startPeriodicTask } from './periodic-task.js';
import { billingSubscriptions } from './subscriptions.js';

const END_STATES_TIMEOUT_MS = 10_000;
/** Milliseconds until the audit of an erased account is blanked, once its event has come. */
const ERASURE_INTERVAL_MS = 5_000;
/** Milliseconds between two rounds that remove counters of budgets that nothing needs any more. */
const BUDGET_PURGE_INTERVAL_MS = 3_600_000;

/** Builds billing; nothing runs until `start`. Throws where the schema of its database is not this build's. */
export async function createBillingService(config: BillingConfig, runtime: ServiceRuntime): Promise<RunningService> {
  const { bus, clock, logger } = runtime;
  const { dataSource, pool } = await openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    migrations,
    applicationName: 'billing',
  });
  const app = await createNestApp(billingModule({ pool, clock, config, clients: runtime.clients }), {
    service: 'billing',
    logger,
    metrics: runtime.metrics,
    tokens: runtime.tokens,
  });

  bus.publishFrom(pool, 'billing', [eventTableSource([topicNames.usageSettlements]), ledgerOutbox]);
  for (const subscription of billingSubscriptions(clock, config.settlementBatch))
    bus.subscribeShared(pool, subscription);

  const ask = async (owner: ContextName, path: string, request: object): Promise<EndStatesResponse> => {
    const answer = await runtime.clients[owner].request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      timeoutMs: END_STATES_TIMEOUT_MS,
    });
    if (answer.status !== 200) throw new Error(`${owner} answered ${answer.status} about end states`);
    return JSON.parse(answer.body.toString('utf8')) as EndStatesResponse;
  };
  const owners: HoldOwners = {
    askExecutions: (request) => ask('execution', '/internal/executions:end-states', request),
    askSearches: (request) => ask('registry', '/internal/searches:end-states', request),
  };
  const metrics = registerBillingMetrics(runtime.metrics, pool);
  let sweeper: { stop(): Promise<void> } | undefined;
  let erasure: { stop(): Promise<void> } | undefined;
  let budgetPurge: { stop(): Promise<void> } | undefined;

  return {
    name: 'billing',
    fastify: app.getHttpAdapter().getInstance(),
    ready: () => bus.health(),
    start() {
      sweeper = startPeriodicTask(config.holdSweepIntervalMs, logger, 'hold sweeper', async () => {
        const options = { batchSize: config.holdSweepBatch, inquiryAgeMs: config.holdInquiryAgeMs };
        metrics.swept(await sweepHolds(pool, owners, clock, options));
      });
      budgetPurge = startPeriodicTask(BUDGET_PURGE_INTERVAL_MS, logger, 'purge of budgets', async () => {
        await purgeBudgets(pool, clock.nowMs());
      });
      erasure = startPeriodicTask(ERASURE_INTERVAL_MS, logger, 'erasure of accounts', async () => {
        await eraseAccounts(pool, clock);
      });
      return Promise.resolve();
    },
    async stop() {
      await erasure?.stop();
      await sweeper?.stop();
      await budgetPurge?.stop();
      await app.close();
      await dataSource.destroy();
    },
  };
}
