import { WhereClause } from '../queries/where.sql.js';
import { anomalyConditions } from './anomaly-conditions.sql.js';
import { LEDGER_LINK_GRACE_MS } from './domain/anomalies.js';
import { eventTypesOfKind } from './domain/usage-kinds.js';
import type { UsageFilter } from './usage-filter.js';

/** Conditions on `usage_events AS u`: rows of the account whose source fact has come. */
export function usageWhere(accountId: string, filter: UsageFilter): WhereClause {
  const clause = new WhereClause('u.account_id', accountId, 'u.recorded')
    .and('u.effective_at >= ?', filter.window.from)
    .and('u.effective_at < ?', filter.window.before)
    .and('u.event_type = ?', filter.event_type)
    .and('u.event_type = ANY(?)', filter.kind === undefined ? undefined : eventTypesOfKind[filter.kind])
    .and('u.success = ?', filter.success)
    .and('u.billable_success = ?', filter.billable_success)
    .and('u.outcome = ?', filter.outcome)
    .and('u.reason_code = ?', filter.reason_code)
    .and('(u.outcome IS NOT NULL) = ?', filter.has_execution_outcome)
    .and('u.charge_outcome = ?', filter.charge_outcome)
    .and('u.search_id = ?', filter.search_id)
    .and('u.execution_id = ?', filter.execution_id)
    .and('u.api_key_id = ?', filter.api_key_id)
    .and('u.oauth_client_id = ?', filter.oauth_client_id)
    .and('u.project_id = ?', filter.project_id)
    .and('u.credential_type = ?', filter.credential_type)
    .and('u.effective_micro >= ?::bigint', filter.credits?.min)
    .and('u.effective_micro <= ?::bigint', filter.credits?.max);
  if (filter.anomaly === undefined) return clause;
  const { name, nowMs } = filter.anomaly;
  const condition = anomalyConditions[name];
  return condition.includes('?')
    ? clause.and(condition, new Date(nowMs - LEDGER_LINK_GRACE_MS))
    : clause.require(condition);
}
