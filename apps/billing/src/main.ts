import { runService } from '@capability-router/service-kit';
import { appendOnlyTables, createBillingService, loadBillingConfig, migrations } from './index.js';

await runService({
  name: 'billing',
  loadConfig: loadBillingConfig,
  create: createBillingService,
  migrations,
  appendOnlyTables,
});
