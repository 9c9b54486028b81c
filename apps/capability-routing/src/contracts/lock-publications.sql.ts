import type pg from 'pg';

/** Key of the advisory lock of all publications; the same in every build. */
const PUBLICATION_LOCK_KEY = 728_415_201;

/** Held until the end of the transaction: publications take turns, in whichever replica they run. */
export async function lockPublications(tx: pg.PoolClient): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [PUBLICATION_LOCK_KEY]);
}
