import type pg from 'pg';

const sql = `
DELETE FROM registration_counters
 WHERE (window_start, scope) IN (SELECT window_start, scope FROM registration_counters WHERE window_start < $1 LIMIT $2)`;

/** Removes counters of windows that began before `before` (ISO 8601), `limit` at most. @returns how many */
export async function deleteCounters(pool: pg.Pool, before: string, limit: number): Promise<number> {
  return (await pool.query(sql, [before, limit])).rowCount ?? 0;
}
