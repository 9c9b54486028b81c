import { openDatabase, type ParkedStore } from '@capability-router/service-kit';
import { CapabilityRoutingConsumersModule } from '../capability-routing-consumers.module.js';
import { loadCapabilityRoutingConfig } from '../config.js';
import { migrations } from '../migrations/index.js';

const CONNECTIONS = 2;

class ParkedModule {}

/** The parked events of capability routing, with the handlers that they are handled by again. `env`: its variables. */
export async function openParkedStore(env: NodeJS.ProcessEnv): Promise<ParkedStore> {
  const config = loadCapabilityRoutingConfig(env);
  const { dataSource, pool } = await openDatabase({
    url: config.databaseUrl,
    poolSize: CONNECTIONS,
    migrations,
    applicationName: 'capability-routing-parked',
  });
  return {
    pool,
    handlers: { module: ParkedModule, imports: [CapabilityRoutingConsumersModule] },
    close: () => dataSource.destroy(),
  };
}
