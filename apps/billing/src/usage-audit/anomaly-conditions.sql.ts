import type { Anomaly } from './domain/anomalies.js';

/**
 * Conditions on `usage_events AS u`; `?` is the time before which a charge must have its entry. Searches and refused
 * calls have no price rule to freeze, so they never lack one.
 */
export const anomalyConditions: Readonly<Record<Anomaly, string>> = {
  failed_charged_review: `u.charge_outcome = 'failed_charged_review'`,
  missing_ledger_link: `u.effective_micro > 0 AND u.ledger_entry_id IS NULL AND u.effective_at < ?`,
  missing_billing_snapshot: `u.event_type IN ('tool_execute', 'capabilities_query') AND u.billing_rule IS NULL
    AND u.outcome IS DISTINCT FROM 'refused'`,
};
