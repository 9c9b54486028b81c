import { topicNames, type ContextName, type EndStatesResponse } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import { createNestApp, openDatabase, type RunningService, type ServiceRuntime } from '@capability-router/service-kit';
import { startChecks } from './background-checks/start-checks.js';
import { billingModule } from './billing.module.js';
import { purgeBudgets } from './budgets/purge-budgets.js';
import type { BillingConfig } from './config.js';
import { purgeAllowances } from './daily-free/daily-allowance.js';
import { eraseAccounts } from './erasure/erase-accounts.js';
import { expireGrants } from './expiry/expire-grants.js';
import { sweepHolds, type HoldOwners } from './holds/hold-sweeper.js';
import { balancesOutbox } from './ledger/balances-outbox.js';
import { importContentTypes, importRoutes } from './imports/import-routes.js';
import { ledgerOutbox } from './ledger/ledger-outbox.js';
import { recordLedgerRoot } from './ledger-roots/record-root.js';
import { registerBillingMetrics } from './metrics.js';
import { migrations } from './migrations/index.js';
import { registerPartitionMetrics, startPartitionJob } from './partitions/partition-job.js';
import { startPeriodicTask } from './periodic-task.js';
import { settlementSettings } from './settlement/settlement.consumer.js';
import { reportProjectionVersions } from './usage-audit/projection-versions.js';

const END_STATES_TIMEOUT_MS = 10_000;
/** Milliseconds until the audit of an erased account is blanked, once its event has come. */
const ERASURE_INTERVAL_MS = 5_000;
/** Milliseconds between two rounds that remove counters of budgets that nothing needs any more. */
const BUDGET_PURGE_INTERVAL_MS = 3_600_000;

/** Builds billing; nothing runs until `start`. Throws where the schema of its database is not this build's. */
export async function createBillingService(config: BillingConfig, runtime: ServiceRuntime): Promise<RunningService> {
  const { bus, logger } = runtime;
  const {
    dataSource,
    pool,
    clock,
    health: database,
  } = await openDatabase({
    clock: runtime.clock,
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    migrations,
    applicationName: 'billing',
  });
  const metrics = registerBillingMetrics(runtime.metrics, pool, clock);
  const app = await createNestApp(billingModule({ pool, clock, config, clients: runtime.clients, metrics }), {
    service: 'billing',
    logger,
    metrics: runtime.metrics,
    tokens: runtime.tokens,
    events: { bus, pool, settings: settlementSettings(config) },
    streamedContentTypes: importContentTypes,
    routes: importRoutes,
  });

  bus.publishFrom(pool, 'billing', [
    eventTableSource([topicNames.usageSettlements, topicNames.usageRecords, topicNames.ledgerRoots]),
    ledgerOutbox,
    balancesOutbox,
  ]);

  const ask = async (owner: ContextName, path: string, request: object): Promise<EndStatesResponse> => {
    const answer = await runtime.clients[owner].request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      timeoutMs: END_STATES_TIMEOUT_MS,
      // An execution that is ended for the first asking is found ended by the second.
      repeatable: true,
    });
    if (answer.status !== 200) throw new Error(`${owner} answered ${answer.status} about end states`);
    return JSON.parse(answer.body.toString('utf8')) as EndStatesResponse;
  };
  const owners: HoldOwners = {
    askExecutions: (request) => ask('execution', '/internal/executions:end-states', request),
    askSearches: (request) => ask('registry', '/internal/searches:end-states', request),
  };
  registerPartitionMetrics(runtime.metrics, pool, clock);
  let partitions: { stop(): Promise<void> } | undefined;
  let sweeper: { stop(): Promise<void> } | undefined;
  let erasure: { stop(): Promise<void> } | undefined;
  let budgetPurge: { stop(): Promise<void> } | undefined;
  let expiry: { stop(): Promise<void> } | undefined;
  let ledgerRoots: { stop(): Promise<void> } | undefined;
  let checks: { stop(): Promise<void> } | undefined;

  return {
    name: 'billing',
    fastify: app.getHttpAdapter().getInstance(),
    database,
    ready: () => clock.judge(bus.health()),
    async start() {
      await reportProjectionVersions(pool, logger);
      sweeper = startPeriodicTask(config.holdSweepIntervalMs, logger, 'hold sweeper', async () => {
        const options = { batchSize: config.holdSweepBatch, inquiryAgeMs: config.holdInquiryAgeMs };
        metrics.swept(await sweepHolds(pool, owners, clock, options));
      });
      checks = startChecks({ pool, clock, logger, config, metrics });
      partitions = startPartitionJob(pool, clock, logger);
      budgetPurge = startPeriodicTask(BUDGET_PURGE_INTERVAL_MS, logger, 'purge of budgets', async () => {
        await purgeBudgets(pool, clock.nowMs());
        await purgeAllowances(pool, clock.nowMs());
      });
      ledgerRoots = startPeriodicTask(config.ledgerRootCheckIntervalMs, logger, 'daily ledger root', async () => {
        const root = await recordLedgerRoot(pool, clock);
        if (root !== undefined) bus.nudge('billing');
      });
      expiry = startPeriodicTask(config.grantExpiryIntervalMs, logger, 'expiry of grants', async () => {
        await expireGrants(pool, clock);
      });
      erasure = startPeriodicTask(ERASURE_INTERVAL_MS, logger, 'erasure of accounts', async () => {
        await eraseAccounts(pool, clock);
      });
    },
    async stop() {
      await checks?.stop();
      await erasure?.stop();
      await expiry?.stop();
      await partitions?.stop();
      await sweeper?.stop();
      await budgetPurge?.stop();
      await ledgerRoots?.stop();
      await app.close();
      await dataSource.destroy();
    },
  };
}
