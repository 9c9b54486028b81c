import type pg from 'pg';

/** Whoever asks together waits for the first here, until its transaction ends. */
export async function lockVerificationAccount(tx: pg.ClientBase): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('the account of verification', 0))`);
}
