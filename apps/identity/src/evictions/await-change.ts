import type pg from 'pg';
import { awaitEviction } from './await-eviction.js';
import type { Change } from './change.js';

/**
 * The addition to an answer to a change: nothing where every living replica of the gateway acts by the change, `pending`
 * where after a second some do not. To be called after the commit; `change`: undefined where there never was one.
 */
export async function awaitChange(
  pool: pg.Pool,
  change: Change | undefined,
  nowMs: number,
): Promise<{ readonly pending?: true }> {
  if (change === undefined) return {};
  const { changeId, changedAtMs } = change;
  return (await awaitEviction(pool, changeId, { revokedAtMs: changedAtMs, nowMs })) ? {} : { pending: true };
}
