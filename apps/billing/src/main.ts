import { runService } from '@capability-router/service-kit';
import { appendOnlyTables, billingEnvSpec, createBillingService, loadBillingConfig, migrations } from './index.js';

await runService({
  name: 'billing',
  variables: billingEnvSpec,
  loadConfig: loadBillingConfig,
  create: createBillingService,
  migrations,
  appendOnlyTables,
});
