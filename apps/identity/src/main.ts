import { runService } from '@capability-router/service-kit';
import { appendOnlyTables, createIdentityService, identityEnvSpec, loadIdentityConfig, migrations } from './index.js';

await runService({
  name: 'identity',
  variables: identityEnvSpec,
  loadConfig: loadIdentityConfig,
  create: createIdentityService,
  migrations,
  appendOnlyTables,
});
