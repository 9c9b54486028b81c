import { topicNames } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import {
  closeApp,
  createServiceApp,
  endInTurn,
  openServiceDatabase,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { BillingStart } from './billing-start.js';
import { BillingModule } from './billing.module.js';
import type { BillingConfig } from './config.js';
import { importContentTypes, importRoutes } from './imports/import-routes.js';
import { balancesOutbox } from './ledger/balances-outbox.js';
import { ledgerOutbox } from './ledger/ledger-outbox.js';
import { migrations } from './migrations/index.js';
import { settlementSettings } from './settlement/settlement.consumer.js';

/** Builds billing; nothing runs until `start`. Throws where the schema of its database is not this build's. */
export async function createBillingService(config: BillingConfig, runtime: ServiceRuntime): Promise<RunningService> {
  const { bus } = runtime;
  const database = await openServiceDatabase(runtime, config, migrations);
  const app = await createServiceApp(
    BillingModule.with(runtime.clients),
    { config, runtime, database },
    { streamedContentTypes: importContentTypes, routes: importRoutes, groups: settlementSettings(config) },
  );
  bus.publishFrom(database.pool, 'billing', [
    eventTableSource([topicNames.usageSettlements, topicNames.usageRecords, topicNames.ledgerRoots]),
    ledgerOutbox,
    balancesOutbox,
  ]);
  return {
    name: 'billing',
    fastify: app.getHttpAdapter().getInstance(),
    database: database.health,
    ready: () => database.clock.judge(bus.health()),
    start: () => app.get(BillingStart).start(),
    stop: () => endInTurn([() => closeApp(app), () => database.dataSource.destroy()]),
  };
}
