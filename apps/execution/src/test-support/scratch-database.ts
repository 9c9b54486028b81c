import { randomBytes } from 'node:crypto';
import { migrate } from '@capability-router/service-kit';
import pg from 'pg';
import { migrations } from '../migrations/index.js';

export interface ScratchDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

/** A database of its own with this build's schema, on the server that TEST_POSTGRES_URL names. */
export async function createScratchDatabase(): Promise<ScratchDatabase> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (server === undefined) throw new Error('TEST_POSTGRES_URL must name a PostgreSQL server (superuser URL)');
  const name = `execution_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const target = new URL(server);
  target.pathname = `/${name}`;
  const url = target.href;
  await migrate({ ownerUrl: url, applicationRole: decodeURIComponent(target.username), migrations });
  const pool = new pg.Pool({ connectionString: url, max: 12 });
  // Dropping the database ends what is left of its sessions.
  pool.on('error', () => undefined);
  return {
    url,
    pool,
    async drop() {
      await pool.end();
      await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
