export { capabilityRoutingEnvSpec, loadCapabilityRoutingConfig } from './config.js';
export type { CapabilityRoutingConfig } from './config.js';
export { createCapabilityRoutingService } from './create-capability-routing-service.js';
export { appendOnlyTables, migrations } from './migrations/index.js';
