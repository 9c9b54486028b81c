import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { eventStoreSchemaSql } from '../schema/event-store.sql.js';

/** For tests: a database of their own with the event store's schema, dropped by `close`. */
export interface ScratchDatabase {
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Tests never skip in silence: a missing server is an error. */
export function requireEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set: this test needs that server`);
  return value;
}

export async function createScratchDatabase(): Promise<ScratchDatabase> {
  const adminUrl = requireEnvironment('TEST_POSTGRES_URL');
  const name = `scratch_${randomUUID().replaceAll('-', '')}`;
  await administer(adminUrl, `CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.toString(), max: 10 });
  pool.on('error', () => undefined);
  await pool.query(eventStoreSchemaSql);
  return {
    pool,
    close: async () => {
      await pool.end();
      await administer(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
