import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import type { ScratchDatabase } from '@capability-router/service-kit/testing';
import pg from 'pg';
import { appendOnlyTables, migrations } from '../migrations/index.js';

export type { ScratchDatabase } from '@capability-router/service-kit/testing';

/** Milliseconds that a list may take in a test that is not about it: however slow the machine. */
export const PATIENT_MS = 30_000;

const DEFAULT_POOL_SIZE = 10;

const databases = scratchDatabasesOf({ service: 'billing', migrations, appendOnlyTables });

export const { createEmptyDatabase } = databases;

/** Databases with the schema of billing, under the superuser: tests write what no release writes any more. */
export async function createScratchDatabase(poolSize = DEFAULT_POOL_SIZE): Promise<ScratchDatabase> {
  const database = await databases.createScratchDatabase();
  const pool = new pg.Pool({ connectionString: database.ownerUrl, max: poolSize });
  pool.on('error', () => undefined);
  return {
    ...database,
    pool,
    url: database.ownerUrl,
    drop: async () => {
      await pool.end();
      await database.drop();
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
