import type pg from 'pg';

/** A head, the balance of its account and the last entry of its chain; numbers are decimal strings. */
export interface HeadRow {
  readonly account_id: string;
  readonly head_seq: string;
  readonly head_hash: string;
  readonly head_balance: string;
  readonly balance: string | null;
  readonly entry_id: string | null;
  readonly entry_seq: string | null;
  readonly entry_hash: string | null;
  readonly entry_balance: string | null;
}

/** Head, balance and last entry in one statement, so in one snapshot: the service may write meanwhile. */
const headsSql = `
SELECT h.account_id, h.entry_seq AS head_seq, h.last_hash AS head_hash, h.balance_micro AS head_balance,
       b.balance_micro AS balance, e.entry_id, e.entry_seq, e.hash AS entry_hash, e.balance_after_micro AS entry_balance
  FROM (SELECT * FROM ledger_heads WHERE account_id > $1 AND account_id >= $2 AND ($3::text IS NULL OR account_id = $3)
         ORDER BY account_id LIMIT $4) AS h
  LEFT JOIN account_balances b ON b.account_id = h.account_id
  LEFT JOIN LATERAL (SELECT entry_id, entry_seq, hash, balance_after_micro FROM ledger_entries
                      WHERE account_id = h.account_id ORDER BY entry_seq DESC LIMIT 1) AS e ON true
 ORDER BY h.account_id`;

/** The next accounts of the range behind `after`, in the order of their ids. */
export async function readHeads(
  pool: pg.Pool,
  range: { readonly from?: string | undefined; readonly only?: string | undefined },
  after: string,
  limit: number,
): Promise<HeadRow[]> {
  return (await pool.query<HeadRow>(headsSql, [after, range.from ?? '', range.only ?? null, limit])).rows;
}

/** Entries that the accounts of the range should have, by their heads. */
export async function countEntries(
  pool: pg.Pool,
  range: { readonly from?: string | undefined; readonly only?: string | undefined },
): Promise<number> {
  const { rows } = await pool.query<{ entries: string }>(
    `SELECT COALESCE(sum(entry_seq), 0) AS entries FROM ledger_heads
      WHERE account_id >= $1 AND ($2::text IS NULL OR account_id = $2)`,
    [range.from ?? '', range.only ?? null],
  );
  return Number(rows[0]?.entries ?? 0);
}
