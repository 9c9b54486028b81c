import type pg from 'pg';
import type { WalkedRow } from './chain-walker.js';

/** Account, place in its chain, entry. */
export type ChainPlace = readonly [accountId: string, entrySeq: string, entryId: string];

/** By the unique key (account, place); the id makes the order total even where somebody has dropped that key. */
const pageSql = `
SELECT * FROM ledger_entries
 WHERE (account_id, entry_seq, entry_id) > ($1, $2::bigint, $3) AND ($4::text IS NULL OR account_id = $4)
 ORDER BY account_id, entry_seq, entry_id LIMIT $5`;

/** The next entries behind that place, in the order of account and place; of the account `only` where it is given. */
export async function readChains(
  pool: pg.Pool,
  after: ChainPlace,
  only: string | undefined,
  limit: number,
): Promise<WalkedRow[]> {
  return (await pool.query<WalkedRow>(pageSql, [...after, only ?? null, limit])).rows;
}

/** Which of these accounts have no head. */
export async function withoutHead(pool: pg.Pool, accounts: readonly string[]): Promise<string[]> {
  if (accounts.length === 0) return [];
  const { rows } = await pool.query<{ account_id: string }>(
    `SELECT a.account_id FROM unnest($1::text[]) AS a (account_id)
      WHERE NOT EXISTS (SELECT FROM ledger_heads h WHERE h.account_id = a.account_id)`,
    [accounts],
  );
  return rows.map((row) => row.account_id);
}
