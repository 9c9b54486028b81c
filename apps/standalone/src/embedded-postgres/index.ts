export { EmbeddedPostgresError } from './errors.js';
export type { ServiceWithDatabase } from './provision.js';
export { runningDatabases } from './running-databases.js';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './start-embedded-postgres.js';
