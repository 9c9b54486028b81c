import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../migrations/index.js';

/** Milliseconds that a list may take in a test that is not about it: however slow the machine. */
export const PATIENT_MS = 30_000;

export interface ScratchDatabase {
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

/** A database of its own on the server that TEST_POSTGRES_URL names, with the schema of billing. */
export async function createScratchDatabase(poolSize = 10): Promise<ScratchDatabase> {
  const database = await createEmptyDatabase(poolSize);
  const runner = { query: (sql: string) => database.pool.query(sql) } as unknown as QueryRunner;
  for (const Migration of migrations) await new Migration().up(runner);
  return database;
}

/** As `createScratchDatabase`, with no schema yet. */
export async function createEmptyDatabase(poolSize = 10): Promise<ScratchDatabase> {
  const serverUrl = process.env['TEST_POSTGRES_URL'];
  if (serverUrl === undefined) throw new Error('TEST_POSTGRES_URL must name a PostgreSQL server for tests');
  const name = `billing_test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: poolSize });
  pool.on('error', () => undefined);
  return {
    pool,
    async drop() {
      await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

/** Runs `work` in a transaction, as the bus does for a batch. */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
