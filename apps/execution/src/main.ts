import { runService } from '@capability-router/service-kit';
import {
  appendOnlyTables,
  createExecutionService,
  executionEnvSpec,
  loadExecutionConfig,
  migrations,
} from './index.js';

await runService({
  name: 'execution',
  variables: executionEnvSpec,
  loadConfig: loadExecutionConfig,
  create: (config, runtime) => createExecutionService(config, runtime),
  migrations,
  appendOnlyTables,
});
