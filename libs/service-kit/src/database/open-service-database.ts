import { envPrefixOf } from '../config/common-env.js';
import { ConfigError } from '../config/load-env.js';
import { showPool } from '../observability/pool-metrics.js';
import type { ServiceRuntime } from '../runtime/service-runtime.js';
import type { MigrationClass } from './migration-class.js';
import { openDatabase, type Database, type DatabaseOptions } from './open-database.js';
import { wrongDatabaseUrl } from './until-connected.js';

/** As `databaseEnvSpec` reads it. */
export interface ServiceDatabaseConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
}

/**
 * The database of a service that runs, under the service's name and clock; waited for where it cannot be reached yet. Throws
 * as `openDatabase` does, and `ConfigError` where its URL is wrong.
 */
export async function openServiceDatabase(
  { name, clock, logger, metrics }: Pick<ServiceRuntime, 'name' | 'clock' | 'logger' | 'metrics'>,
  { databaseUrl: url, databasePoolSize: poolSize }: ServiceDatabaseConfig,
  migrations: readonly MigrationClass[],
  limits: Pick<DatabaseOptions, 'lockTimeoutMs' | 'connectionTimeoutMs'> = {},
): Promise<Database> {
  try {
    const database = await openDatabase({ clock, url, poolSize, migrations, applicationName: name, logger, ...limits });
    showPool(metrics, name, database.pool);
    return database;
  } catch (error) {
    const wrong = wrongDatabaseUrl(error);
    throw wrong === undefined ? error : new ConfigError({ [`${envPrefixOf(name)}_DATABASE_URL`]: wrong });
  }
}
