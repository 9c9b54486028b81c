export { manifestSchema } from './admin/manifest/manifest-schema.js';
export { loadRegistryConfig, registryEnvSpec } from './config.js';
export type { RegistryConfig } from './config.js';
export { createRegistryService } from './create-registry-service.js';
export { migrations } from './migrations/index.js';

/** Tables that the application role may only read and add to. */
export const appendOnlyTables = ['events'];
