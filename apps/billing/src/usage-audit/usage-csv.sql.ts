import type pg from 'pg';
import { credits, exact, selectList, text, timestamp, type CsvColumn } from '../csv-export/csv-columns.sql.js';
import { EXPORT_PAGE_ROWS, type CsvRow } from '../csv-export/csv-export.js';
import type { UsageColumnName } from './domain/usage-columns.js';
import { readByRecord } from './read-by-record.sql.js';
import { REVISED_MESSAGE } from './usage-event-view.js';
import type { UsageFilter } from './usage-filter.js';
import { kindSql } from './usage-kind.sql.js';

/** Columns of the audit under their own name. */
const ownExact = (name: UsageColumnName): CsvColumn => exact(name);
const ownText = (name: UsageColumnName): CsvColumn => text(name);

/**
 * The scalar fields of a usage event: those of the specification in its order, then the others. Each says what
 * `usageEventView` says.
 */
export const usageCsvColumns = [
  ownExact('id'),
  ownExact('event_type'),
  ownExact('source_system'),
  ownExact('source_ref_type'),
  ownText('source_ref_id'),
  ownText('session_id'),
  ownText('search_id'),
  ownExact('execution_id'),
  ownText('tool_id'),
  ownExact('success'),
  ownExact('charge_outcome'),
  ownExact('reason_code'),
  ownText('error_message'),
  ownExact('duration_ms'),
  exact(
    'billing_snapshot_status',
    `CASE WHEN u.requested_micro = 0 THEN 'not_applicable' ELSE COALESCE(u.settlement_status, 'pending') END`,
  ),
  credits('pre_settlement_amount_credits', 'u.requested_micro'),
  credits('requested_amount_credits', 'u.requested_micro'),
  credits('settled_amount_credits', 'u.settled_micro'),
  credits('actual_amount_credits', 'CASE WHEN u.settled_micro IS NULL THEN NULL ELSE u.effective_micro END'),
  exact('credits_ledger_entry_id', 'u.ledger_entry_id'),
  text('display_target', 'COALESCE(u.tool_id, u.event_type)'),
  text('billing_summary', `COALESCE(u.bill->>'summary', 'Free of charge')`),
  timestamp('created_at', 'u.effective_at'),
  timestamp('effective_at', 'u.effective_at'),
  ownText('provider_id'),
  ownExact('credential_type'),
  ownExact('api_key_id'),
  text('api_key_name', 'k.name'),
  exact('api_key_attribution_status', `CASE WHEN u.api_key_id IS NULL THEN 'unattributed' ELSE 'attributed' END`),
  ownText('model'),
  ownExact('transport_success'),
  ownExact('provider_success'),
  ownExact('result_valid'),
  ownExact('billable_success'),
  ownExact('outcome'),
  exact('outcome_status', `CASE WHEN u.outcome IS NULL THEN NULL WHEN u.success THEN 'success' ELSE 'failure' END`),
  text('outcome_message', `COALESCE(u.user_message, CASE WHEN u.revised_at IS NOT NULL THEN '${REVISED_MESSAGE}' END)`),
  ownExact('provider_status_code'),
  ownExact('http_status_code'),
  ownExact('valid_result_count'),
  ownExact('raw_result_count'),
  ownExact('chargeable_quantity'),
  ownExact('retryable'),
  exact('display_severity', `CASE WHEN u.success THEN 'info' ELSE 'warning' END`),
  text('billing_unit', `u.billing_rule->>'unitLabel'`),
  credits('unit_price_credits', `u.billing_rule->>'amountMicroCredits'`),
  exact('quantity', 'u.chargeable_quantity'),
  credits('list_amount_credits', `u.bill->>'listAmountMicroCredits'`),
  credits('minimum_charge_credits', `u.billing_rule->>'minimumMicroCredits'`),
  exact('served_from_cache', `COALESCE((u.bill->>'fromCache')::boolean, false)`),
  timestamp('outcome_revised_at', 'u.revised_at'),
  exact('kind', kindSql),
  ownExact('project_id'),
  ownExact('trace_id'),
];

/** The next rows of an export, in the order of recording, last first. */
export function readUsageCsv(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  beforeSeq: string | undefined,
): Promise<CsvRow[]> {
  const range = { beforeSeq, rows: EXPORT_PAGE_ROWS };
  const select = selectList(usageCsvColumns, 'u.record_seq');
  return readByRecord<CsvRow>(pool, { accountId, filter, range, select }, { rowMode: 'array' });
}
