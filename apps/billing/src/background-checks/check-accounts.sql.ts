import type pg from 'pg';

/** Accounts of one transaction. */
export const BATCH_ACCOUNTS = 200;
/** Entries of each account that are looked at, the newest; the whole chain is for `caprouter ledger verify`. */
const ENTRIES_PER_ACCOUNT = 20;

/** Conditions that hold for an account whose books are sound; each also stands in `invariants/`, for all rows at once. */
const soundAccount: Readonly<Record<string, string>> = {
  balance_is_head: 'c.balance_micro = COALESCE(h.balance_micro, 0)',
  balance_is_lots: 'c.balance_micro = l.remaining',
  available_not_negative: 'c.balance_micro >= c.held_micro',
  head_is_last_entry:
    'COALESCE(h.entry_seq, 0) = COALESCE(e.last_seq, 0) AND (e.last_hash IS NULL OR e.last_hash = h.last_hash)',
  chain_is_dense: 'COALESCE(e.dense, true)',
};
export const accountInvariants = Object.keys(soundAccount);

const checkSql = `
SELECT c.account_id, ${Object.entries(soundAccount)
  .map(([name, condition]) => `NOT (${condition}) AS ${name}`)
  .join(', ')}
  FROM (SELECT account_id, balance_micro, held_micro FROM account_balances
         WHERE account_id > $1 ORDER BY account_id LIMIT ${BATCH_ACCOUNTS}) AS c
  LEFT JOIN ledger_heads h USING (account_id)
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(remaining_micro), 0) AS remaining FROM credit_lots
     WHERE account_id = c.account_id AND NOT depleted) AS l
  CROSS JOIN LATERAL (
    SELECT max(entry_seq) AS last_seq, max(hash) FILTER (WHERE next_seq IS NULL) AS last_hash,
           bool_and(next_seq IS NULL OR next_seq = entry_seq + 1 AND next_before = balance_after_micro AND next_previous = hash)
             AS dense
      FROM (SELECT entry_seq, hash, balance_after_micro, lead(entry_seq) OVER w AS next_seq,
                   lead(balance_before_micro) OVER w AS next_before, lead(previous_hash) OVER w AS next_previous
              FROM (SELECT entry_seq, hash, previous_hash, balance_before_micro, balance_after_micro FROM ledger_entries
                     WHERE account_id = c.account_id ORDER BY entry_seq DESC LIMIT ${ENTRIES_PER_ACCOUNT}) AS newest
            WINDOW w AS (ORDER BY entry_seq)) AS chain) AS e
 ORDER BY c.account_id`;

/** Whether the account breaks an invariant, by invariant. */
export type AccountRow = { readonly account_id: string } & Readonly<Record<string, boolean | string>>;

/** The next accounts behind `after`, in the order of their ids. */
export async function judgeAccounts(tx: pg.PoolClient, after: string): Promise<AccountRow[]> {
  return (await tx.query<AccountRow>(checkSql, [after])).rows;
}
