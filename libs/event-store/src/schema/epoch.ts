import type { Queryable } from '../queryable.js';

/**
 * After a logical restore into a new cluster, whose transaction ids start again: puts everything written from now on
 * behind everything restored. Run it with the services stopped. Returns the new epoch.
 */
export async function bumpEpoch(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ epoch: string }>(
    'UPDATE event_store_epoch SET epoch = epoch + 1 RETURNING epoch::text AS epoch',
  );
  return Number(rows[0]?.epoch);
}
