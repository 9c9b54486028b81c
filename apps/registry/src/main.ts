import { runService } from '@capability-router/service-kit';
import { appendOnlyTables, createRegistryService, loadRegistryConfig, migrations, registryEnvSpec } from './index.js';

await runService({
  name: 'registry',
  variables: registryEnvSpec,
  loadConfig: loadRegistryConfig,
  create: createRegistryService,
  migrations,
  appendOnlyTables,
});
