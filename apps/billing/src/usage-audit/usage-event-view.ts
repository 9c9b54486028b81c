import {
  priceTerms,
  type Bill,
  type PayloadLookupResponse,
  type PriceRule,
  type SettlementState,
} from '@capability-router/contracts';
import { creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import type { RecordedUsage } from './domain/usage-columns.js';
import { kindOf } from './domain/usage-kinds.js';

/** A recorded row of `usage_events` with the label of its key. */
export type UsageEventRow = RecordedUsage & {
  readonly api_key_name: string | null;
  readonly api_key_masked_value: string | null;
};

type Payload = PayloadLookupResponse['payloads'][string];

const credits = (micro: string): number => creditsToNumber(creditsFromMicro(BigInt(micro)));

/** `pending` until settlement has spoken, where there is anything to settle. */
export function snapshotStatus(row: UsageEventRow): SettlementState {
  if (row.requested_micro === '0') return 'not_applicable';
  return row.settlement_status ?? 'pending';
}

/** The audit record as the API shows it. Request payloads are added only where details are asked for. */
export function usageEventView(
  row: UsageEventRow,
  details?: { readonly payload: Payload | undefined },
): Record<string, unknown> {
  const settled = row.settled_micro === null ? null : credits(row.settled_micro);
  return {
    id: row.id,
    event_type: row.event_type,
    kind: kindOf(row.event_type),
    source_system: row.source_system,
    source_ref_type: row.source_ref_type,
    source_ref_id: row.source_ref_id,
    session_id: row.session_id,
    search_id: row.search_id,
    execution_id: row.execution_id,
    tool_id: row.tool_id,
    success: row.success,
    charge_outcome: row.charge_outcome,
    reason_code: row.reason_code,
    error_message: row.error_message,
    duration_ms: row.duration_ms,
    ...(details === undefined ? {} : payloadFields(details.payload)),
    execution_outcome: outcomeView(row),
    ...outcomeFields(row),
    billing_snapshot_status: snapshotStatus(row),
    billing_rule_snapshot: row.billing_rule === null ? null : ruleView(row.billing_rule),
    pre_settlement_bill: row.bill === null ? null : billView(row.bill),
    settlement_result:
      row.settlement_status === null
        ? null
        : { status: row.settlement_status, settled_amount_credits: settled, ...covered(row) },
    pre_settlement_amount_credits: credits(row.requested_micro),
    requested_amount_credits: credits(row.requested_micro),
    settled_amount_credits: settled,
    actual_amount_credits: settled === null ? null : credits(row.effective_micro),
    credits_ledger_entry_id: row.ledger_entry_id,
    display_target: row.tool_id ?? row.event_type,
    billing_summary: row.bill?.summary ?? 'Free of charge',
    credential_type: row.credential_type,
    api_key:
      row.api_key_id === null
        ? null
        : { id: row.api_key_id, name: row.api_key_name, masked_value: row.api_key_masked_value },
    api_key_attribution_status: row.api_key_id === null ? 'unattributed' : 'attributed',
    model: row.model,
    billing_unit: row.billing_rule?.unitLabel ?? null,
    unit_price_credits: row.billing_rule === null ? null : credits(row.billing_rule.amountMicroCredits),
    quantity: row.chargeable_quantity,
    served_from_cache: row.bill?.fromCache === true,
    list_amount_credits: row.bill === null ? null : credits(row.bill.listAmountMicroCredits),
    minimum_charge_credits:
      row.billing_rule?.minimumMicroCredits === undefined ? null : credits(row.billing_rule.minimumMicroCredits),
    created_at: row.effective_at.toISOString(),
    effective_at: row.effective_at.toISOString(),
    ...(row.revised_at === null ? {} : { outcome_revised_at: row.revised_at.toISOString() }),
    ...(row.project_id === null ? {} : { project_id: row.project_id }),
    ...(row.trace_id === null ? {} : { trace_id: row.trace_id }),
  };
}

/** The amount that the daily free allowance took in place of a charge. */
const covered = (row: UsageEventRow): Record<string, unknown> =>
  row.covered_micro === '0' ? {} : { covered_by_daily_free_credits: credits(row.covered_micro) };

/** Left out after retention or erasure, rather than null. */
function payloadFields(payload: Payload | undefined): Record<string, unknown> {
  return {
    ...(payload?.requestPayload === undefined ? {} : { request_payload: payload.requestPayload }),
    ...(payload?.responsePayloadSummary === undefined
      ? {}
      : { response_payload_summary: payload.responsePayloadSummary }),
    ...(payload?.query === undefined ? {} : { query: payload.query }),
  };
}

function outcomeView(row: UsageEventRow): Record<string, unknown> | null {
  if (row.outcome === null) return null;
  return {
    outcome: row.outcome,
    reason_code: row.reason_code,
    provider_success: row.provider_success,
    billable_success: row.billable_success,
    result_valid: row.result_valid,
    user_message: userMessage(row),
  };
}

/** The message of a revised outcome, of which no longer holds what the caller was told. */
export const REVISED_MESSAGE = 'The result was reported as a failure after the call.';
const userMessage = (row: UsageEventRow): string | null =>
  row.user_message ?? (row.revised_at === null ? null : REVISED_MESSAGE);

function outcomeFields(row: UsageEventRow): Record<string, unknown> {
  return {
    provider_id: row.provider_id,
    outcome: row.outcome,
    outcome_status: row.outcome === null ? null : row.success ? 'success' : 'failure',
    outcome_message: userMessage(row),
    transport_success: row.transport_success,
    provider_success: row.provider_success,
    result_valid: row.result_valid,
    billable_success: row.billable_success,
    provider_status_code: row.provider_status_code,
    http_status_code: row.http_status_code,
    valid_result_count: row.valid_result_count,
    raw_result_count: row.raw_result_count,
    chargeable_quantity: row.chargeable_quantity,
    retryable: row.retryable,
    display_severity: row.success ? 'info' : 'warning',
  };
}

function ruleView(rule: PriceRule): Record<string, unknown> {
  return {
    unit: rule.unitLabel,
    amount_credits: credits(rule.amountMicroCredits),
    metering_mode: rule.metering.kind,
    ...(rule.minimumMicroCredits === undefined ? {} : { minimum_charge_credits: credits(rule.minimumMicroCredits) }),
    ...priceTerms(rule),
  };
}

function billView(bill: Bill): Record<string, unknown> {
  return {
    ...(bill.fromCache === undefined ? {} : { from_cache: true }),
    summary: bill.summary,
    list_amount_credits: credits(bill.listAmountMicroCredits),
    charge_lines: bill.chargeLines.map((line) => ({
      component_key: line.componentKey,
      description: line.description,
      quantity: line.quantity,
      unit_label: line.unitLabel,
      amount_credits: credits(line.amountMicroCredits),
    })),
  };
}
