import type pg from 'pg';

/** Runs `work` under a savepoint; where it throws, only its own effects are undone. */
export async function inSavepoint(tx: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  await tx.query('SAVEPOINT unit');
  try {
    await work();
    await tx.query('RELEASE SAVEPOINT unit');
  } catch (error) {
    await tx.query('ROLLBACK TO SAVEPOINT unit');
    await tx.query('RELEASE SAVEPOINT unit');
    throw error;
  }
}
