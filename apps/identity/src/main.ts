import { runService } from '@capability-router/service-kit';
import { appendOnlyTables, createIdentityService, loadIdentityConfig, migrations } from './index.js';

await runService({
  name: 'identity',
  loadConfig: loadIdentityConfig,
  create: createIdentityService,
  migrations,
  appendOnlyTables,
});
