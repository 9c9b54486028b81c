import { runService } from '@capability-router/service-kit';
import { appendOnlyTables, createRegistryService, loadRegistryConfig, migrations } from './index.js';

await runService({
  name: 'registry',
  loadConfig: loadRegistryConfig,
  create: createRegistryService,
  migrations,
  appendOnlyTables,
});
