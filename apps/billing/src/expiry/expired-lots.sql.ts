import type { AccountId } from '@capability-router/kernel';
import type pg from 'pg';

const dueSql = `
SELECT DISTINCT l.account_id FROM credit_lots l JOIN account_balances b USING (account_id)
 WHERE NOT l.depleted AND l.expires_at <= $1 AND b.balance_micro > b.held_micro AND l.account_id > $2
 ORDER BY l.account_id LIMIT $3`;

/** Accounts with an expired lot of which something is left and, at the moment, not reserved; the next `limit` in the order of ids. */
export async function accountsWithExpiredLots(
  pool: pg.Pool,
  now: Date,
  after: string,
  limit: number,
): Promise<AccountId[]> {
  const { rows } = await pool.query<{ account_id: AccountId }>(dueSql, [now, after, limit]);
  return rows.map((row) => row.account_id);
}
