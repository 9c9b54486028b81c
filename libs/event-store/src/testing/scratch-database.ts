import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { eventStoreSchemaSql } from '../schema/event-store.sql.js';
import { copyTemplate, type Template } from './template-database.js';

/** For tests: a database of their own in the cluster of `TEST_POSTGRES_URL`, dropped by `drop`. */
export interface ScratchDatabase {
  /** Connections of the role in `url`: for a database of a service, the role that the service runs under. */
  readonly pool: pg.Pool;
  readonly url: string;
  /**
   * Connections of the superuser, none before the first is asked for: for what only an operator, a migration or a
   * manipulator does, such as changing what is append-only, or ending another connection.
   */
  readonly owner: pg.Pool;
  readonly ownerUrl: string;
  drop(): Promise<void>;
}

export interface ScratchOptions {
  /** Begins the name of the database: lower case letters and `_`. */
  readonly prefix: string;
  /** The template of the database; empty where absent. */
  readonly template?: Template;
  /** Connections of the pool. */
  readonly poolSize?: number;
  /** Who the pool and `url` log in as; the superuser where absent. */
  readonly login?: { readonly role: string; readonly password: string };
}

const POOL_SIZE = 10;
const OWNER_POOL_SIZE = 4;

/** Tests never skip in silence: a missing server is an error. */
export function requireEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set: this test needs that server`);
  return value;
}

const eventStoreTemplate: Template = {
  prefix: 'event_store',
  fingerprint: eventStoreSchemaSql,
  build: (url) => onServer(url, (client) => client.query(eventStoreSchemaSql)),
};

/** A database with the event store's schema and nothing else. */
export function createScratchDatabase(): Promise<ScratchDatabase> {
  return createDatabase({ prefix: 'event_store', template: eventStoreTemplate });
}

/** A database that begins as a copy of the template. */
export async function createDatabase(options: ScratchOptions): Promise<ScratchDatabase> {
  const clusterUrl = requireEnvironment('TEST_POSTGRES_URL');
  const name = `${options.prefix}_test_${randomBytes(6).toString('hex')}`;
  await onServer(clusterUrl, async (client) => {
    if (options.template === undefined) await client.query(`CREATE DATABASE ${name}`);
    else await copyTemplate(client, clusterUrl, options.template, name);
  });
  const owner = new URL(clusterUrl);
  owner.pathname = `/${name}`;
  const url = new URL(owner);
  if (options.login !== undefined) {
    url.username = options.login.role;
    url.password = options.login.password;
  }
  const pools = {
    pool: poolOf(url, options.poolSize ?? POOL_SIZE),
    owner: poolOf(owner, OWNER_POOL_SIZE),
  };
  return {
    ...pools,
    url: url.href,
    ownerUrl: owner.href,
    drop: async () => {
      await Promise.all([pools.pool.end(), pools.owner.end()]);
      await onServer(clusterUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

function poolOf(url: URL, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url.href, max });
  // `end` does not wait for the sockets, so the server may still tell an idle connection that its database is gone.
  pool.on('error', () => undefined);
  return pool;
}

/** Runs `work` on a connection of its own. */
async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
