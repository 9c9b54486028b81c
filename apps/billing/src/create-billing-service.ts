import { topicNames } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import {
  createNestApp,
  openServiceDatabase,
  PeriodicTasks,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { billingModule } from './billing.module.js';
import type { BillingConfig } from './config.js';
import { balancesOutbox } from './ledger/balances-outbox.js';
import { importContentTypes, importRoutes } from './imports/import-routes.js';
import { ledgerOutbox } from './ledger/ledger-outbox.js';
import { registerBillingMetrics } from './metrics.js';
import { migrations } from './migrations/index.js';
import { registerPartitionMetrics } from './partitions/partition-metrics.js';
import { settlementSettings } from './settlement/settlement.consumer.js';
import { reportProjectionVersions } from './usage-audit/projection-versions.js';

/** Builds billing; nothing runs until `start`. Throws where the schema of its database is not this build's. */
export async function createBillingService(config: BillingConfig, runtime: ServiceRuntime): Promise<RunningService> {
  const { bus, logger } = runtime;
  const { dataSource, pool, clock, health: database } = await openServiceDatabase(runtime, config, migrations);
  const metrics = registerBillingMetrics(runtime.metrics, pool, clock);
  const committed = (): void => bus.nudge('billing');
  const parts = { pool, clock, config, clients: runtime.clients, metrics, logger, committed };
  const app = await createNestApp(billingModule(parts), {
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

  registerPartitionMetrics(runtime.metrics, pool, clock);

  return {
    name: 'billing',
    fastify: app.getHttpAdapter().getInstance(),
    database,
    ready: () => clock.judge(bus.health()),
    async start() {
      await reportProjectionVersions(pool, logger);
      app.get(PeriodicTasks).start();
    },
    async stop() {
      await app.close();
      await dataSource.destroy();
    },
  };
}
