import type pg from 'pg';

/** Micro-credits of the day's allowance that are reserved or used. `day`: `YYYY-MM-DD`. */
export async function takenOf(pool: pg.Pool, accountId: string, day: string): Promise<bigint> {
  const { rows } = await pool.query<{ taken: string }>(
    'SELECT (reserved_micro + used_micro)::text AS taken FROM daily_allowances WHERE account_id = $1 AND day = $2::date',
    [accountId, day],
  );
  return BigInt(rows[0]?.taken ?? '0');
}

const purgeAllowancesSql = `
DELETE FROM daily_allowances WHERE (account_id, day) IN (
  SELECT account_id, day FROM daily_allowances WHERE day < $1::date AND reserved_micro = 0 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** Removes counters of days before `day` under which nothing is held, `limit` at most. @returns how many */
export async function purgeAllowanceDays(pool: pg.Pool, day: string, limit: number): Promise<number> {
  return (await pool.query(purgeAllowancesSql, [day, limit])).rowCount ?? 0;
}
