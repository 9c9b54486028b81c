import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import type { DayCap, DayWindow } from './registration-caps.js';

/**
 * The check and the count are one guarded write on a locked row, so replicas cannot both take the last place. Rows are
 * locked in the order of the list. A cap without room yields no row; the caller rolls back, which returns the others.
 */
const sql = `
INSERT INTO registration_counters AS counter (scope, window_start, used, allowed)
SELECT scope, $1, amount, allowed
  FROM unnest($2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS cap (scope, amount, allowed, place)
 WHERE amount <= allowed
 ORDER BY place
ON CONFLICT (window_start, scope) DO UPDATE
   SET used = counter.used + EXCLUDED.used, allowed = EXCLUDED.allowed
 WHERE counter.used + EXCLUDED.used <= EXCLUDED.allowed
RETURNING scope`;

/** The caps that have no room left; empty when what they bound may go on. */
export async function takeCaps<Cap extends DayCap>(
  tx: pg.ClientBase,
  window: DayWindow,
  caps: readonly Cap[],
): Promise<readonly Cap[]> {
  const { rows } = await tx.query<{ scope: string }>(sql, [
    toIso(window.startMs),
    caps.map((cap) => cap.scope),
    caps.map((cap) => cap.amount.toString()),
    caps.map((cap) => cap.allowed.toString()),
  ]);
  const taken = new Set(rows.map((row) => row.scope));
  return caps.filter((cap) => !taken.has(cap.scope));
}
