export { executionEnvSpec, loadExecutionConfig, type ExecutionConfig } from './config.js';
export { createExecutionService } from './create-execution-service.js';
export { faultCauses, type FaultCauses } from './call/outcome/fault-causes.js';
export { appendOnlyTables, migrations } from './migrations/index.js';
