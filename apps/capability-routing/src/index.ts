export { capabilityRoutingEnvSpec, loadCapabilityRoutingConfig } from './config.js';
export type { CapabilityRoutingConfig } from './config.js';
export { createCapabilityRoutingService } from './create-capability-routing-service.js';
export { migrations } from './migrations/index.js';

/** Tables that the application role may only read and add to. */
export const appendOnlyTables = ['events'];
