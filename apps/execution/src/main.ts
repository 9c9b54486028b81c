import { runService } from '@capability-router/service-kit';
import { createExecutionService, loadExecutionConfig, migrations } from './index.js';

await runService({
  name: 'execution',
  loadConfig: loadExecutionConfig,
  create: (config, runtime) => createExecutionService(config, runtime),
  migrations,
});
