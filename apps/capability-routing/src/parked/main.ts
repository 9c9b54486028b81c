import { openDatabase, parkedCommand } from '@capability-router/service-kit';
import { CapabilityRoutingConsumersModule } from '../capability-routing-consumers.module.js';
import { loadCapabilityRoutingConfig } from '../config.js';
import { migrations } from '../migrations/index.js';

const CONNECTIONS = 2;

class ParkedModule {}

/** `list` shows the events that capability routing has parked; `replay GROUP KEY` handles those of one key again, in order. */
process.exitCode = await parkedCommand(process.argv.slice(2), async () => {
  const config = loadCapabilityRoutingConfig(process.env);
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
});
