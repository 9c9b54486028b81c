import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../migrations/index.js';

export interface ScratchDatabase {
  readonly pool: pg.Pool;
  /** Of this database, as the superuser of the scratch cluster. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of its own in the cluster of `TEST_POSTGRES_URL`, with this service's schema unless `empty`. */
export async function createScratchDatabase(options: { readonly empty?: boolean } = {}): Promise<ScratchDatabase> {
  const clusterUrl = process.env['TEST_POSTGRES_URL'];
  if (clusterUrl === undefined) throw new Error('TEST_POSTGRES_URL must name a scratch PostgreSQL cluster');
  const name = `identity_test_${randomBytes(6).toString('hex')}`;
  await onCluster(clusterUrl, `CREATE DATABASE ${name}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 20 });
  if (options.empty !== true) {
    const runner = { query: (sql: string) => pool.query(sql) } as unknown as QueryRunner;
    for (const Migration of migrations) await new Migration().up(runner);
  }
  return {
    pool,
    url: url.href,
    drop: async () => {
      // `end` does not wait for the sockets, so the server may still tell an idle connection that its database is gone.
      pool.on('error', () => undefined);
      await pool.end();
      await onCluster(clusterUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onCluster(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
