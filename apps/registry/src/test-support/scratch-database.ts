import { randomBytes } from 'node:crypto';
import { migrate } from '@capability-router/service-kit';
import pg from 'pg';
import { appendOnlyTables, migrations } from '../index.js';

export interface ScratchDatabase {
  /** As the application role, which cannot change the schema. */
  readonly pool: pg.Pool;
  /** Of the application role. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A migrated database of its own, and a role to run under, in the cluster of `TEST_POSTGRES_URL`. */
export async function createScratchDatabase(): Promise<ScratchDatabase> {
  const clusterUrl = process.env['TEST_POSTGRES_URL'];
  if (clusterUrl === undefined) throw new Error('TEST_POSTGRES_URL must name a scratch PostgreSQL cluster');
  const name = `registry_test_${randomBytes(6).toString('hex')}`;
  await onCluster(clusterUrl, [`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`, `CREATE DATABASE ${name}`]);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  await migrate({ ownerUrl: url.href, applicationRole: name, migrations, appendOnlyTables });
  url.username = name;
  url.password = 'secret';
  const pool = new pg.Pool({ connectionString: url.href, max: 10 });
  return {
    pool,
    url: url.href,
    drop: async () => {
      // `end` does not wait for the sockets, so the server may still tell an idle connection that its database is gone.
      pool.on('error', () => undefined);
      await pool.end();
      await onCluster(clusterUrl, [`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`]);
    },
  };
}

async function onCluster(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
