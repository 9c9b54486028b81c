import type { Queryable } from '@capability-router/event-store';
import type { LedgerEntryRow } from '../ledger/ledger-row.js';
import { exceptionInvariants } from './exception-invariants.sql.js';
import { grantInvariants } from './grant-invariants.sql.js';

/** Each query lists accounts or executions that break one invariant; on sound books every one is empty. */
export const moneyInvariants: Readonly<Record<string, string>> = {
  'balance = sum of entries': `
    SELECT b.account_id AS id FROM account_balances b
     WHERE b.balance_micro <> COALESCE((SELECT sum(amount_micro) FROM ledger_entries e WHERE e.account_id = b.account_id), 0)`,
  'balance = sum of lot remainders': `
    SELECT b.account_id AS id FROM account_balances b
     WHERE b.balance_micro <> COALESCE((SELECT sum(remaining_micro) FROM credit_lots l WHERE l.account_id = b.account_id), 0)`,
  'held = sum of open holds': `
    SELECT b.account_id AS id FROM account_balances b
      LEFT JOIN (SELECT account_id, sum(amount_micro) AS open_micro FROM holds
                  WHERE state = 'open' AND allowance_day IS NULL GROUP BY account_id) AS h USING (account_id)
     WHERE b.held_micro <> COALESCE(h.open_micro, 0)`,
  'available >= 0': `SELECT account_id AS id FROM account_balances WHERE balance_micro < held_micro`,
  'entry_seq is dense and before(n) = after(n-1)': `
    SELECT account_id AS id FROM (
      SELECT account_id, entry_seq, balance_before_micro, previous_hash,
             lag(entry_seq, 1, 0::bigint) OVER w AS last_seq, lag(balance_after_micro, 1, 0::bigint) OVER w AS last_balance,
             lag(hash, 1, '${'0'.repeat(64)}') OVER w AS last_hash
        FROM ledger_entries WINDOW w AS (PARTITION BY account_id ORDER BY entry_seq)) AS chain
     WHERE entry_seq <> last_seq + 1 OR balance_before_micro <> last_balance OR previous_hash <> last_hash`,
  'the head is the last entry': `
    SELECT h.account_id AS id FROM ledger_heads h
      LEFT JOIN LATERAL (SELECT entry_seq, hash, balance_after_micro FROM ledger_entries e
                          WHERE e.account_id = h.account_id ORDER BY entry_seq DESC LIMIT 1) AS last ON true
     WHERE h.entry_seq <> COALESCE(last.entry_seq, 0) OR h.balance_micro <> COALESCE(last.balance_after_micro, 0)
        OR (last.hash IS NOT NULL AND h.last_hash <> last.hash)`,
  'one charge per execution, search or import, equal to its capture': `
    SELECT s.source_ref_id AS id FROM settlements s
      LEFT JOIN (SELECT source_ref_id, count(*) AS entries, sum(amount_micro) AS amount FROM ledger_entries
                  WHERE source_ref_type IN ('execution', 'search', 'import') GROUP BY source_ref_id) AS e USING (source_ref_id)
      LEFT JOIN holds h ON h.execution_id = s.source_ref_id
     WHERE s.settled_micro > 0 AND (e.entries IS DISTINCT FROM 1 OR e.amount <> -s.settled_micro
                               OR left(s.source_ref_id, 4) <> 'imp_' AND h.captured_micro IS DISTINCT FROM s.settled_micro)
        OR s.settled_micro = 0 AND COALESCE(e.entries, 0) <> 0`,
  'every charge belongs to a settled execution, search or import': `
    SELECT e.source_ref_id AS id FROM ledger_entries e LEFT JOIN settlements s ON s.source_ref_id = e.source_ref_id
     WHERE e.source_ref_type IN ('execution', 'search', 'import') AND s.source_ref_id IS NULL`,
  'a charge names its execution exactly when it is one': `
    SELECT entry_id AS id FROM ledger_entries
     WHERE (source_ref_type = 'execution') <> (execution_id IS NOT NULL) OR execution_id <> source_ref_id`,
  'settlement_seq is dense': `
    SELECT account_id AS id FROM settlements GROUP BY account_id
    HAVING count(*) <> max(settlement_seq) OR count(DISTINCT settlement_seq) <> count(*)`,
  'what is settled leaves no open hold': `
    SELECT execution_id AS id FROM holds h JOIN settlements s ON s.source_ref_id = h.execution_id WHERE state = 'open'`,
  'a hold ends once, as its settlement says': `
    SELECT h.execution_id AS id FROM holds h LEFT JOIN settlements s ON s.source_ref_id = h.execution_id
     WHERE (h.state = 'open') <> (h.ended_at IS NULL) OR (h.state = 'captured') <> (h.captured_micro > 0)
        OR h.state = 'captured' AND (s.status IS DISTINCT FROM 'settled' OR s.account_id <> h.account_id)
        OR h.state = 'uncollected' AND s.status IS DISTINCT FROM 'uncollected'
        OR h.state = 'released' AND s.status = 'settled'`,
  'what a budget reserves = sum of the open holds under it': `
    SELECT b.budget_id AS id FROM budgets b
      LEFT JOIN (SELECT u.budget_id, sum(h.amount_micro) AS open_micro
                   FROM holds h CROSS JOIN unnest(h.budget_ids) AS u (budget_id) WHERE h.state = 'open' GROUP BY 1) AS o
                USING (budget_id)
     WHERE b.reserved_micro <> COALESCE(o.open_micro, 0)`,
  // A session that was forgotten and comes again counts anew: a day at least lies between its holds of then and now.
  'what a budget spent = sum of the captures under it': `
    SELECT b.budget_id AS id FROM budgets b
      LEFT JOIN (SELECT u.budget_id, h.placed_at, h.captured_micro
                   FROM holds h CROSS JOIN unnest(h.budget_ids) AS u (budget_id)) AS c
             ON c.budget_id = b.budget_id AND c.placed_at > b.opened_at - interval '1 hour'
     GROUP BY b.budget_id HAVING b.spent_micro <> COALESCE(sum(c.captured_micro), 0)`,
  'a budget is never passed': `SELECT budget_id AS id FROM budgets WHERE spent_micro + reserved_micro > limit_micro`,
  'an open hold stands under budgets of its own account': `
    SELECT h.execution_id AS id FROM holds h CROSS JOIN unnest(h.budget_ids) AS u (budget_id)
      LEFT JOIN budgets b USING (budget_id)
     WHERE h.state = 'open' AND b.account_id IS DISTINCT FROM h.account_id`,
  'what a charge burned adds up': `
    SELECT e.entry_id AS id FROM ledger_entries e
     WHERE e.amount_micro < 0 AND -e.amount_micro <> COALESCE((SELECT sum(amount_micro) FROM lot_burns b WHERE b.ledger_entry_id = e.entry_id), 0)`,
  ...grantInvariants,
  ...exceptionInvariants,
};

/** Entries in the order in which they were written, after a position. */
export async function readEntries(
  db: Queryable,
  after: string,
  limit: number,
): Promise<(LedgerEntryRow & { readonly position: string })[]> {
  const { rows } = await db.query<LedgerEntryRow & { position: string }>(
    'SELECT * FROM ledger_entries WHERE position > $1 ORDER BY position LIMIT $2',
    [after, limit],
  );
  return rows;
}
