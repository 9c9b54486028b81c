import { openDatabase, ServicePartsModule, type ParkedStore } from '@capability-router/service-kit';
import { Registry } from 'prom-client';
import { BillingConsumersModule } from '../billing-consumers.module.js';
import { loadBillingConfig } from '../config.js';
import { migrations } from '../migrations/index.js';
import { settlementSettings } from '../settlement/settlement.consumer.js';

const CONNECTIONS = 2;

class ParkedModule {}

/** The parked events of billing, with the handlers that they are handled by again. `env`: its variables. */
export async function openParkedStore(env: NodeJS.ProcessEnv): Promise<ParkedStore> {
  const config = loadBillingConfig(env);
  // Its clock is the database's, as that of the services: what is replayed is recorded for good.
  const { clock, dataSource, pool } = await openDatabase({
    url: config.databaseUrl,
    poolSize: CONNECTIONS,
    migrations,
    applicationName: 'billing-parked',
  });
  return {
    pool,
    handlers: {
      module: ParkedModule,
      // Nobody reads these metrics: what is replayed was late for another reason than billing's pace.
      imports: [ServicePartsModule.with({ clock, metrics: new Registry() }), BillingConsumersModule],
    },
    settings: settlementSettings(config),
    close: () => dataSource.destroy(),
  };
}
