import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import type pg from 'pg';
import { appendOnlyTables, migrations } from '../migrations/index.js';

export { withQueryRunner } from '@capability-router/service-kit/testing';
export type { OlderDatabase, ScratchDatabase } from '@capability-router/service-kit/testing';

/** Milliseconds that a list may take in a test that is not about it: however slow the machine. */
export const PATIENT_MS = 30_000;

/** Databases with the schema of billing, or that of an older release, under the application role; or with none. */
export const { createScratchDatabase, createOlderDatabase, createEmptyDatabase } = scratchDatabasesOf({
  service: 'billing',
  migrations,
  appendOnlyTables,
});

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
