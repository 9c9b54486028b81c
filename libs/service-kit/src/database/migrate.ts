import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { assertNotNewer } from './known-schema.js';
import { connectClient, surviveLostConnections } from './lost-connections.js';
import type { MigrationClass } from './migration-class.js';
import { baseOptions, poolOf } from './open-database.js';
import { clientFor } from './password-file.js';
import { isLockTimeout } from './postgres-errors.js';
import { patienceOf, untilConnected } from './until-connected.js';

/** Key of the advisory lock; any number, the same in every build. */
const LOCK_KEY = 728_415_001;
/** Milliseconds to wait for another process that migrates. */
const LOCK_WAIT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Milliseconds that a migration waits for a table: whoever comes after it waits behind it, every call that is paid for among
 * them, so that it gives way soon and tries again.
 */
const TABLE_WAIT_MS = 2_000;
const TABLE_PAUSE_MS = 3_000;
const TABLE_TRIES = 100;
const identifierPattern = /^[a-z_][a-z0-9_]{0,62}$/;

export interface MigrateOptions {
  /** URL of the owner role. */
  readonly ownerUrl: string;
  /** The role that the service runs under; it must exist. */
  readonly applicationRole: string;
  readonly migrations: readonly MigrationClass[];
  /** Tables on which, with their partitions, the application role may only SELECT and INSERT. */
  readonly appendOnlyTables?: readonly string[];
  readonly connectionTimeoutMs?: number;
  /** A database that cannot be reached yet is waited for, which is told here. Where absent, that rejects. */
  readonly logger?: Pick<Logger, 'warn'>;
}

/**
 * Applies what is pending, one migration a transaction, under an advisory lock. Tables that a migration creates are
 * open to the application role (SELECT, INSERT, UPDATE, DELETE) unless it or `appendOnlyTables` says otherwise. A
 * migration that needs the role's name reads `current_setting('capability_router.application_role')`. A table that others
 * hold for long, such as a backup, is waited for by short tries; rejects when it is never free.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { applicationRole: role, connectionTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  if (!identifierPattern.test(role)) throw new Error(`"${role}" is not a plain role name`);
  const login = { connectionString: options.ownerUrl, connectionTimeoutMillis: connectionTimeoutMs };
  const client = await untilConnected(() => connectClient(login), patienceOf(options));
  try {
    await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await assertNotNewer(client, options.migrations);
    await client.query(defaultGrantsSql(role));
    await runPending(options);
    await client.query(`REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON migrations FROM ${role}`);
    await client.query(`GRANT SELECT ON migrations TO ${role}`);
    for (const table of options.appendOnlyTables ?? []) await makeAppendOnly(client, table, role);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}

const defaultGrantsSql = (role: string): string => `
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  GRANT USAGE ON SCHEMA public TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO ${role};`;

async function runPending(options: MigrateOptions): Promise<void> {
  const dataSource = new DataSource({
    ...baseOptions(options.ownerUrl, 'migrate'),
    migrations: [...options.migrations],
    migrationsTransactionMode: 'each',
    poolSize: 2,
    extra: {
      Client: clientFor(options.ownerUrl),
      connectionTimeoutMillis: options.connectionTimeoutMs ?? CONNECT_TIMEOUT_MS,
      options: `-c capability_router.application_role=${options.applicationRole} -c lock_timeout=${TABLE_WAIT_MS}`,
    },
  });
  await untilConnected(() => dataSource.initialize(), patienceOf(options));
  surviveLostConnections(poolOf(dataSource));
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        await dataSource.runMigrations();
        return;
      } catch (error) {
        // The migration was rolled back, and those before it stand.
        if (!isLockTimeout(error) || tries === TABLE_TRIES) throw error;
        await sleep(TABLE_PAUSE_MS);
      }
    }
  } finally {
    await dataSource.destroy();
  }
}

/** A partition has privileges of its own, so each is revoked too. */
async function makeAppendOnly(client: pg.Client, table: string, role: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relid::regclass::text AS name FROM pg_partition_tree($1::regclass) UNION SELECT $1::regclass::text`,
    [table],
  );
  for (const { name } of rows) await client.query(`REVOKE UPDATE, DELETE, TRUNCATE ON ${name} FROM ${role}`);
}

/** The role in a PostgreSQL URL. */
export function roleOf(url: string): string {
  const role = decodeURIComponent(new URL(url).username);
  if (role === '') throw new Error('the database URL names no role');
  return role;
}
