import { revisionInvariants } from './exception-invariants.sql.js';

/** Joins an end that was settled to its row: a Call or CAP query by its execution, a search or an import by itself. */
const rowOfSettled = `(u.execution_id = s.source_ref_id AND u.event_type IN ('tool_execute', 'capabilities_query')
                    OR u.search_id = s.source_ref_id AND u.event_type = 'search'
                    OR u.id = CASE WHEN left(s.source_ref_id, 4) = 'imp_' THEN substr(s.source_ref_id, 5)::uuid END)`;

/** Says of a fact what `wasAskedToRetry` says. */
const askedToRetry = `(f.data->>'dispatched' = 'false' OR f.data->>'httpStatusCode' = '503')`;

export const auditInvariants: Readonly<Record<string, string>> = {
  'exactly one audit row per settled execution or search, none of one that was not dispatched': `
    SELECT s.source_ref_id AS id FROM settlements s
     WHERE (SELECT count(*) FROM usage_events u WHERE u.recorded AND u.account_id = s.account_id AND ${rowOfSettled})
        <> CASE WHEN EXISTS (SELECT 1 FROM usage_facts f WHERE f.subject = s.source_ref_id AND ${askedToRetry})
                THEN 0 ELSE 1 END`,
  'at most one audit row per execution': `
    SELECT execution_id AS id FROM usage_events WHERE event_type IN ('tool_execute', 'capabilities_query')
     GROUP BY execution_id HAVING count(*) > 1`,
  'no settlement waits for a fact': `SELECT id FROM usage_events WHERE NOT recorded`,
  'the audit row says what was settled': `
    SELECT s.source_ref_id AS id FROM settlements s JOIN usage_events u ON u.recorded AND ${rowOfSettled}
     WHERE u.requested_micro <> s.requested_micro OR u.settled_micro IS DISTINCT FROM s.settled_micro
        OR u.covered_micro <> s.covered_micro OR u.settlement_status IS DISTINCT FROM s.status OR u.ledger_entry_id IS DISTINCT FROM s.ledger_entry_id`,
  // A refund lowers the effective amount; the link to the charge stays.
  'a ledger link exactly when the amount is above 0': `
    SELECT u.id FROM usage_events u
     WHERE (COALESCE(u.settled_micro, u.requested_micro, 0) > 0) <> (u.ledger_entry_id IS NOT NULL)`,
  'the audit row says what was refunded': `
    SELECT u.id FROM usage_events u
     WHERE u.refunded_micro <> COALESCE((SELECT sum(r.amount_micro) FROM lot_restores r WHERE r.unwound_entry_id = u.ledger_entry_id), 0)`,
  'the linked entry took the settled amount from the same account': `
    SELECT u.id FROM usage_events u LEFT JOIN ledger_entries e ON e.entry_id = u.ledger_entry_id
     WHERE u.ledger_entry_id IS NOT NULL
       AND (e.account_id IS DISTINCT FROM u.account_id OR -e.amount_micro IS DISTINCT FROM u.settled_micro)`,
  // It names a search as its source, whose charge is not its own.
  'an inspection has no settlement': `
    SELECT id FROM usage_events
     WHERE event_type = 'search_by_ids'
       AND (settlement_status IS NOT NULL OR settled_micro IS NOT NULL OR settled_at IS NOT NULL
            OR ledger_entry_id IS NOT NULL OR covered_micro <> 0 OR refunded_micro <> 0)`,
  ...revisionInvariants,
};
