export { manifestSchema } from './admin/manifest/manifest-schema.js';
export { loadRegistryConfig, registryEnvSpec } from './config.js';
export type { RegistryConfig } from './config.js';
export { createRegistryService } from './create-registry-service.js';
export { appendOnlyTables, migrations } from './migrations/index.js';
