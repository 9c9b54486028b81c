import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { DAY_MS, utcDayOf } from './registration-caps.js';

/** Rows per statement, so that no purge holds a long transaction. */
const MAX_ROWS_PER_PURGE = 5_000;

const sql = `
DELETE FROM registration_counters
 WHERE (window_start, scope) IN (SELECT window_start, scope FROM registration_counters WHERE window_start < $1 LIMIT $2)`;

/** Counters name client addresses, so they are kept no longer than a day past their own. Resolves to the rows removed. */
export async function purgeRegistrationCounters(pool: pg.Pool, nowMs: number): Promise<number> {
  const before = toIso(utcDayOf(nowMs).startMs - DAY_MS);
  let removed = 0;
  for (;;) {
    const { rowCount } = await pool.query(sql, [before, MAX_ROWS_PER_PURGE]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < MAX_ROWS_PER_PURGE) return removed;
  }
}
