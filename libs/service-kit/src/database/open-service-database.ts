import type { ServiceRuntime } from '../runtime/service-runtime.js';
import type { MigrationClass } from './migration-class.js';
import { openDatabase, type Database, type DatabaseOptions } from './open-database.js';

/** As `databaseEnvSpec` reads it. */
export interface ServiceDatabaseConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
}

/** The database of a service that runs, under the service's name and clock. Throws as `openDatabase` does. */
export const openServiceDatabase = (
  { name, clock }: Pick<ServiceRuntime, 'name' | 'clock'>,
  { databaseUrl, databasePoolSize }: ServiceDatabaseConfig,
  migrations: readonly MigrationClass[],
  limits: Pick<DatabaseOptions, 'lockTimeoutMs'> = {},
): Promise<Database> =>
  openDatabase({ clock, url: databaseUrl, poolSize: databasePoolSize, migrations, applicationName: name, ...limits });
