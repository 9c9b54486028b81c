import type pg from 'pg';

/** One statement, so that the parts add up to the balance whatever moves meanwhile. */
const creditsSql = `
SELECT (SELECT json_build_object('balance', balance_micro::text, 'held', held_micro::text)
          FROM account_balances WHERE account_id = $1) AS balances,
       (SELECT json_agg(lot) FROM (
          SELECT category, sum(granted_micro)::text AS granted, sum(remaining_micro)::text AS remaining,
                 min(expires_at) FILTER (WHERE remaining_micro > 0) AS next_expiry
            FROM credit_lots WHERE account_id = $1 GROUP BY category) AS lot) AS lots`;

interface LotRow {
  readonly category: string;
  readonly granted: string;
  readonly remaining: string;
  /** ISO 8601. */
  readonly next_expiry: string | null;
}

/** Amounts are decimal strings of micro-credits. */
export interface CreditsRow {
  readonly balances: { readonly balance: string; readonly held: string } | null;
  readonly lots: readonly LotRow[] | null;
}

export async function readCredits(pool: pg.Pool, accountId: string): Promise<CreditsRow | undefined> {
  return (await pool.query<CreditsRow>(creditsSql, [accountId])).rows[0];
}

/** Balance, and the part of it that open holds have, of each account that billing has heard of. */
export async function readBalances(
  pool: pg.Pool,
  accountIds: readonly string[],
): Promise<readonly { readonly account_id: string; readonly balance: string; readonly held: string }[]> {
  const { rows } = await pool.query<{ account_id: string; balance: string; held: string }>(
    `SELECT account_id, balance_micro::text AS balance, held_micro::text AS held
       FROM account_balances WHERE account_id = ANY($1)`,
    [accountIds],
  );
  return rows;
}

/** Balance less open holds; '0' of an account that billing has not heard of. */
export async function availableMicroCredits(pool: pg.Pool, accountId: string): Promise<string> {
  const { rows } = await pool.query<{ available: string }>({
    name: 'available-credits',
    text: 'SELECT (balance_micro - held_micro)::text AS available FROM account_balances WHERE account_id = $1',
    values: [accountId],
  });
  return rows[0]?.available ?? '0';
}
