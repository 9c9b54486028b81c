import { entryTypesWhere, type PostingKind } from '../ledger/domain/entry-types.js';

const typesPostedBy = (kind: PostingKind): string =>
  entryTypesWhere(({ postedBy }) => postedBy.includes(kind))
    .map((entryType) => `'${entryType}'`)
    .join(', ');

/** The invariants of lots, of what undoes entries, and of the daily allowance; each query lists what breaks one. */
export const grantInvariants: Readonly<Record<string, string>> = {
  'what is left of a lot = granted - burned + given back': `
    SELECT l.lot_id AS id FROM credit_lots l
      LEFT JOIN (SELECT lot_id, sum(amount_micro) AS amount FROM lot_burns GROUP BY lot_id) AS b USING (lot_id)
      LEFT JOIN (SELECT lot_id, sum(amount_micro) AS amount FROM lot_restores GROUP BY lot_id) AS r USING (lot_id)
     WHERE l.remaining_micro <> l.granted_micro - COALESCE(b.amount, 0) + COALESCE(r.amount, 0)`,
  'a grant either makes a lot or gives back to lots, of its amount': `
    SELECT e.entry_id AS id FROM ledger_entries e
      LEFT JOIN credit_lots l ON l.ledger_entry_id = e.entry_id
      LEFT JOIN (SELECT ledger_entry_id, sum(amount_micro) AS amount FROM lot_restores GROUP BY 1) AS r
             ON r.ledger_entry_id = e.entry_id
     WHERE e.amount_micro > 0
       AND (e.amount_micro <> COALESCE(l.granted_micro, 0) + COALESCE(r.amount, 0)
            OR (l.lot_id IS NULL) = (r.amount IS NULL) OR l.account_id <> e.account_id)`,
  'no lot is given back more than the same entry burned of it': `
    SELECT r.unwound_entry_id AS id FROM lot_restores r
      LEFT JOIN lot_burns b ON b.ledger_entry_id = r.unwound_entry_id AND b.lot_id = r.lot_id
     GROUP BY r.unwound_entry_id, r.lot_id, b.amount_micro HAVING sum(r.amount_micro) > COALESCE(b.amount_micro, 0)`,
  // The later one of two burns of an entry is whole again before the earlier one is given anything.
  'burns are unwound last first': `
    WITH burns AS (
      SELECT b.ledger_entry_id, b.amount_micro, l.expires_at, l.granted_at, l.lot_id,
             COALESCE((SELECT sum(r.amount_micro) FROM lot_restores r
                        WHERE r.unwound_entry_id = b.ledger_entry_id AND r.lot_id = b.lot_id), 0) AS restored
        FROM lot_burns b JOIN credit_lots l USING (lot_id)
       WHERE b.ledger_entry_id IN (SELECT unwound_entry_id FROM lot_restores)
    ), neighbours AS (
      SELECT ledger_entry_id, amount_micro > restored AS short,
             lag(restored) OVER (PARTITION BY ledger_entry_id ORDER BY expires_at NULLS LAST, granted_at, lot_id) AS earlier
        FROM burns
    )
    SELECT ledger_entry_id AS id FROM neighbours WHERE short AND earlier > 0`,
  'refunds of a charge never pass it, and are of the same account': `
    SELECT c.entry_id AS id FROM ledger_entries c
      JOIN (SELECT DISTINCT r.unwound_entry_id, r.ledger_entry_id FROM lot_restores r) AS u ON u.unwound_entry_id = c.entry_id
      JOIN ledger_entries e ON e.entry_id = u.ledger_entry_id
     GROUP BY c.entry_id, c.amount_micro
    HAVING sum(e.amount_micro) > -c.amount_micro OR bool_or(e.account_id <> c.account_id)
        OR bool_or(e.entry_type NOT IN (${typesPostedBy('restore')}))`,
  'nothing lapses of a lot before it expires': `
    SELECT e.entry_id AS id FROM ledger_entries e JOIN lot_burns b ON b.ledger_entry_id = e.entry_id
      JOIN credit_lots l USING (lot_id)
     WHERE e.entry_type IN (${typesPostedBy('lapse')}) AND (l.expires_at IS NULL OR l.expires_at > e.created_at)`,
  'what a daily allowance reserves = sum of the open holds that it covers': `
    SELECT a.account_id AS id FROM daily_allowances a
      LEFT JOIN (SELECT account_id, allowance_day AS day, sum(amount_micro) AS open_micro FROM holds
                  WHERE state = 'open' AND allowance_day IS NOT NULL GROUP BY 1, 2) AS h USING (account_id, day)
     WHERE a.reserved_micro <> COALESCE(h.open_micro, 0)`,
  'what a daily allowance used = sum of what it covered': `
    SELECT a.account_id AS id FROM daily_allowances a
      LEFT JOIN (SELECT h.account_id, h.allowance_day AS day, sum(s.covered_micro) AS covered_micro
                   FROM holds h JOIN settlements s ON s.source_ref_id = h.execution_id
                  WHERE h.allowance_day IS NOT NULL GROUP BY 1, 2) AS c USING (account_id, day)
     WHERE a.used_micro <> COALESCE(c.covered_micro, 0)`,
  'what is covered is not charged': `
    SELECT source_ref_id AS id FROM settlements LEFT JOIN holds h ON h.execution_id = source_ref_id
     WHERE covered_micro > 0 AND (settled_micro > 0 OR h.allowance_day IS NULL OR covered_micro <> requested_micro)`,
};
