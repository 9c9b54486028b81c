import { parseCreditRange, type CreditRange } from '../queries/credit-range.js';
import { parseDateWindow, type DateWindow } from '../queries/date-window.js';
import { WhereClause } from '../queries/where.js';
import { anomalyConditions } from './anomaly-conditions.sql.js';
import { LEDGER_LINK_GRACE_MS, type Anomaly } from './domain/anomalies.js';
import type { UsageFilterQuery } from './usage-history.query.js';
import { eventTypesOfKind, type UsageKind } from './domain/usage-kinds.js';

export interface UsageFilter {
  readonly window: DateWindow;
  /** Bounds the effective amount: settled less refunds, else requested. */
  readonly credits?: CreditRange;
  readonly event_type?: string;
  readonly kind?: UsageKind;
  readonly success?: boolean;
  readonly billable_success?: boolean;
  readonly outcome?: string;
  readonly reason_code?: string;
  readonly has_execution_outcome?: boolean;
  readonly charge_outcome?: string;
  readonly anomaly?: { readonly name: Anomaly; readonly nowMs: number };
  readonly search_id?: string;
  readonly execution_id?: string;
  readonly api_key_id?: string;
  readonly oauth_client_id?: string;
  readonly credential_type?: string;
}

/** A query that was found valid, as a filter. Throws a 400 for dates and amounts. */
export function usageFilterOf(
  { anomaly, ...query }: UsageFilterQuery & { readonly min_credits?: number; readonly max_credits?: number },
  nowMs: number,
): UsageFilter {
  return {
    ...query,
    window: parseDateWindow(query.start_date, query.end_date),
    credits: parseCreditRange(query),
    ...(anomaly === undefined ? {} : { anomaly: { name: anomaly, nowMs } }),
  };
}

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
