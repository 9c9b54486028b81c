import { runService } from '@capability-router/service-kit';
import { appendOnlyTables, createCapabilityRoutingService, loadCapabilityRoutingConfig, migrations } from './index.js';

await runService({
  name: 'capability-routing',
  loadConfig: loadCapabilityRoutingConfig,
  create: createCapabilityRoutingService,
  migrations,
  appendOnlyTables,
});
