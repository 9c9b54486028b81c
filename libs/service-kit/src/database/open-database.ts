import { systemClock, type Clock } from '@capability-router/kernel';
import pg from 'pg';
import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions, type EntitySchema } from 'typeorm';
import { watchConnections } from './connection-watch.js';
import { DatabaseClock } from './database-clock.js';
import { DatabaseHealth } from './database-health.js';
import { assertKnownSchema } from './known-schema.js';
import { surviveLostConnections } from './lost-connections.js';
import type { MigrationClass } from './migration-class.js';
import { clientFor } from './password-file.js';
import { connectionOptions, openPoolAside, SILENCE_MARGIN_MS, type ConnectionLimits } from './pool-aside.js';
import { traceStatements } from './trace-statements.js';
import { patienceOf, untilConnected } from './until-connected.js';

export type EntityClass = (new () => object) | EntitySchema;

export interface DatabaseOptions extends ConnectionLimits {
  readonly url: string;
  readonly poolSize: number;
  /** Every migration of the service; the schema must be exactly at the last. */
  readonly migrations: readonly MigrationClass[];
  readonly entities?: readonly EntityClass[];
  readonly applicationName: string;
  /** The machine's clock; the system's where absent. */
  readonly clock?: Clock;
  /** A database that cannot be reached yet is waited for, which is told here. Where absent, that rejects. */
  readonly logger?: Pick<Logger, 'warn'>;
}

export interface Database {
  readonly dataSource: DataSource;
  /** The data source's own pool: both draw on the same connections. */
  readonly pool: pg.Pool;
  readonly health: DatabaseHealth;
  /** By which everything is stamped that the service records. */
  readonly clock: DatabaseClock;
  /**
   * A connection beside the pool, for what must not wait for requests: a pool of one, which is opened when it is first asked.
   * Whoever opens it ends it. `statementTimeoutMs`: of its statements.
   */
  openAside(statementTimeoutMs: number): pg.Pool;
}

/**
 * Connects under the application role. Whatever is asked ends within the time of a statement and a margin, also when the
 * connection has died without a word. Throws when the schema is not one that this build knows.
 */
export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  untilConnected(() => openOnce(options), patienceOf(options));

async function openOnce(options: DatabaseOptions): Promise<Database> {
  const connection = connectionOptions(options);
  const dataSource = new DataSource({
    ...baseOptions(options.url, options.applicationName),
    poolSize: options.poolSize,
    entities: [...(options.entities ?? [])],
    extra: { ...connection, Client: clientFor(options.url) },
    poolErrorHandler: () => {
      // An idle connection broke; the pool has dropped it and opens another when it is needed.
    },
  });
  await dataSource.initialize();
  const pool = poolOf(dataSource);
  surviveLostConnections(pool);
  traceStatements(pool);
  const watch = watchConnections(pool, connection.statement_timeout + SILENCE_MARGIN_MS);
  const openAside = (statementTimeoutMs: number): pg.Pool =>
    openPoolAside({
      url: options.url,
      applicationName: options.applicationName,
      poolSize: 1,
      statementTimeoutMs,
      lockTimeoutMs: options.lockTimeoutMs,
      connectionTimeoutMs: Math.min(connection.connectionTimeoutMillis, statementTimeoutMs),
    });
  try {
    await assertKnownSchema(pool, options.migrations, options.applicationName);
    const clock = await DatabaseClock.over(pool, { local: options.clock ?? systemClock });
    return { dataSource, pool, health: new DatabaseHealth(pool, watch, clock), clock, openAside };
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/** The application's and the owner's connections share these options: nothing is ever created or altered as a side effect. */
export function baseOptions(url: string, applicationName: string) {
  return {
    type: 'postgres',
    // Given instead of looked for by name, which a bundle cannot answer.
    driver: pg,
    url,
    applicationName,
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    logging: false,
  } as const satisfies DataSourceOptions;
}

export function poolOf(dataSource: DataSource): pg.Pool {
  const { driver } = dataSource;
  if (!('master' in driver)) throw new Error('the data source has no pool');
  return driver.master as pg.Pool;
}
