import { bumpEpoch, inTransaction } from '@capability-router/event-store';
import type pg from 'pg';

export type BeganAnew =
  | { readonly status: 'began'; readonly relays: number; readonly positions: number; readonly epoch: number }
  /** A service that publishes still runs, or was killed a moment ago: nothing was changed. */
  | { readonly status: 'held'; readonly relays: readonly string[] };

/**
 * For topics that were made anew: the relays of a service publish from the first event that it keeps, and its consumers read from the
 * oldest. What is written from now on comes after everything that is there, also where the database was restored into
 * another cluster, whose transaction ids are lower. Events that were handled before are handled again and change nothing.
 */
export function beginAnew(pool: pg.Pool): Promise<BeganAnew> {
  return inTransaction<BeganAnew>(pool, async (tx) => {
    const { rows } = await tx.query<{ relay: string; held: boolean }>(
      'SELECT relay, expires_at > clock_timestamp() AS held FROM relay_leases ORDER BY relay FOR UPDATE',
    );
    const held = rows.filter((row) => row.held).map(({ relay }) => relay);
    if (held.length > 0) return { status: 'held', relays: held };
    // Whoever was killed with the lease believes in the generation of before.
    await tx.query(`UPDATE relay_leases SET position = '', generation = generation + 1`);
    const { rowCount } = await tx.query('DELETE FROM consumer_positions');
    return { status: 'began', relays: rows.length, positions: rowCount ?? 0, epoch: await bumpEpoch(tx) };
  });
}
