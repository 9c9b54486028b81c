import type { Queryable } from '../queryable.js';

/** Milliseconds. Longer than any transaction of a test. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/**
 * Waits until everything that is committed now is below the horizon. The horizon is the cluster's: a transaction of
 * another database, of a test that runs beside this one, holds it back too.
 */
export async function untilReadable(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const horizon = await db.query<{ reached: boolean }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > $1::bigint AS reached',
      [rows[0]?.id],
    );
    if (horizon.rows[0]?.reached === true) return;
    if (Date.now() > deadline) throw new Error('a transaction in this cluster has run for too long');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
