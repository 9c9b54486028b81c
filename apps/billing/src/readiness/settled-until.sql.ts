import type pg from 'pg';

/**
 * The settlement watermark of an account. Only an open hold can still become a charge, and what it is for ends after it
 * was placed; so charges that took effect before the oldest open hold are all in the ledger.
 */
const settledUntilSql = `
SELECT LEAST($2::timestamptz, (
  SELECT min(placed_at) FROM holds
   WHERE state = 'open' AND account_id = $1
     AND EXISTS (SELECT 1 FROM account_balances WHERE account_id = $1 AND held_micro > 0))) AS settled_until`;

/** Exclusive: what took effect before it is final. Read it before what it is to vouch for. */
export async function settledUntil(pool: pg.Pool, accountId: string, nowMs: number): Promise<Date> {
  const { rows } = await pool.query<{ settled_until: Date }>(settledUntilSql, [accountId, new Date(nowMs)]);
  return rows[0]?.settled_until ?? new Date(0);
}
