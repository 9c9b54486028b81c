export { standaloneEnvSpec } from './config.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres/index.js';
export { startStandalone, type Standalone } from './start-standalone.js';
