/** Invariants of the exceptions queue; each query lists what breaks one. */
export const exceptionInvariants: Readonly<Record<string, string>> = {
  'an exception is open exactly until something is done about it': `
    SELECT x.exception_id AS id FROM settlement_exceptions x
     WHERE EXISTS (SELECT FROM open_exceptions o WHERE o.exception_id = x.exception_id AND o.exception_seq = x.exception_seq)
         = EXISTS (SELECT FROM settlement_exception_actions a WHERE a.exception_id = x.exception_id)
    UNION ALL
    SELECT o.exception_id FROM open_exceptions o LEFT JOIN settlement_exceptions x USING (exception_id)
     WHERE x.exception_id IS NULL`,
  'what settlement could not collect stands in the queue, and nothing else does as such': `
    SELECT COALESCE(s.execution_id, x.execution_id) AS id
      FROM (SELECT source_ref_id AS execution_id FROM settlements WHERE status = 'uncollected') AS s
      FULL JOIN (SELECT execution_id FROM settlement_exceptions
                  WHERE kind IN ('missing_hold', 'hold_already_ended', 'bill_exceeds_hold')
                     OR kind = 'hold_of_another_account' AND requested_micro > 0) AS x USING (execution_id)
     WHERE s.execution_id IS NULL OR x.execution_id IS NULL`,
  'nothing is left of the charge of a refunded exception': `
    SELECT a.exception_id AS id FROM settlement_exception_actions a JOIN settlement_exceptions x USING (exception_id)
      LEFT JOIN settlements s ON s.source_ref_id = x.execution_id AND s.account_id = x.account_id
     WHERE a.action = 'refunded'
       AND s.settled_micro IS DISTINCT FROM (SELECT sum(r.amount_micro) FROM lot_restores r WHERE r.unwound_entry_id = s.ledger_entry_id)`,
  'what was written off was not charged': `
    SELECT a.exception_id AS id FROM settlement_exception_actions a JOIN settlement_exceptions x USING (exception_id)
      LEFT JOIN settlements s ON s.source_ref_id = x.execution_id
     WHERE a.action = 'written_off'
       AND (s.settled_micro > 0 OR a.amount_micro IS DISTINCT FROM x.requested_micro OR a.amount_micro = 0)`,
  'every action of a person is a command': `
    SELECT a.exception_id AS id FROM settlement_exception_actions a LEFT JOIN admin_commands c USING (idempotency_key)
     WHERE (a.action = 'cleared') <> (a.idempotency_key IS NULL)
        OR a.idempotency_key IS NOT NULL AND c.commanded_by IS DISTINCT FROM a.acted_by`,
};

/** The invariants of revised calls, in an audit that has caught up. */
export const revisionInvariants: Readonly<Record<string, string>> = {
  'a revised call is a failure in the audit': `
    SELECT v.execution_id AS id FROM outcome_revisions v JOIN usage_events u ON u.id = v.usage_event_id AND u.recorded
     WHERE u.success OR u.revised_at IS DISTINCT FROM v.revised_at OR u.reason_code IS DISTINCT FROM v.reason_code
        OR u.account_id <> v.account_id`,
  'a revised call that was charged is up for review, and no row is revised without a report': `
    SELECT v.execution_id AS id FROM outcome_revisions v JOIN settlements s ON s.source_ref_id = v.execution_id
     WHERE s.settled_micro > 0
       AND NOT EXISTS (SELECT FROM settlement_exceptions x WHERE x.execution_id = v.execution_id AND x.kind = 'failed_charged_review')
    UNION ALL
    SELECT u.execution_id FROM usage_events u LEFT JOIN outcome_revisions v ON v.usage_event_id = u.id
     WHERE u.revised_at IS NOT NULL AND v.usage_event_id IS NULL`,
};
