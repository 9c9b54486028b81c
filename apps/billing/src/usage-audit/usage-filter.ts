import { parseCreditRange, type CreditRange } from '../queries/credit-range.js';
import { parseDateWindow, type DateWindow } from '../queries/date-window.js';
import type { Anomaly } from './domain/anomalies.js';
import type { UsageKind } from './domain/usage-kinds.js';
import type { UsageFilterQuery } from './usage-history.query.js';

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
  readonly project_id?: string;
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
