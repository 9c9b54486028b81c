import {
  topicNames,
  wasAskedToRetry,
  type EventEnvelope,
  type ExecutionCompleted,
  type ToolsInspected,
  type ToolsSearched,
} from '@capability-router/contracts';
import { usageEventIdOf, type ExecutionId } from '@capability-router/kernel';
import { modelCallRow } from './model-call-row.js';
import type { UsageRow } from './usage-columns.js';

/**
 * The version of what `usageRowOf` and a rebuild make of a fact. Raise it whenever that changes; rows of before keep what
 * they have until the audit is rebuilt (`caprouter projections rebuild usage-audit`), and billing says so when it starts. What
 * changed stands in `docs/guides/long-histories.md`.
 */
export const USAGE_AUDIT_VERSION = 4;

/** The part of an event that is kept in `usage_facts`. */
export interface FactOfUsage extends Pick<EventEnvelope, 'type' | 'topic' | 'source' | 'data'> {
  /** 32 hex digits; absent where the event is of no trace. */
  readonly traceId?: string | undefined;
}

/** The row that a fact makes; undefined for a call that leaves none. */
export function usageRowOf(event: FactOfUsage): UsageRow | undefined {
  if (wasAskedToRetry(event.data)) return undefined;
  if (event.type === 'ModelCallImported') return modelCallRow(event);
  return event.topic === topicNames.searches ? discoveryRow(event) : executionRow(event);
}

function executionRow(event: FactOfUsage): UsageRow {
  const end = event.data as unknown as ExecutionCompleted;
  const { outcome } = end;
  return {
    id: usageEventIdOf(end.executionId as ExecutionId),
    account_id: end.accountId,
    effective_at: end.completedAt,
    event_type: end.eventType,
    source_system: event.source,
    source_ref_type: 'execution',
    source_ref_id: end.executionId,
    session_id: end.sessionId,
    search_id: end.searchId,
    execution_id: end.executionId,
    tool_id: end.toolId,
    provider_id: end.providerId,
    api_key_id: end.apiKeyId,
    oauth_client_id: end.oauthClientId,
    project_id: end.projectId,
    trace_id: event.traceId,
    credential_type: end.credentialType,
    model: end.model,
    success: end.success,
    transport_success: outcome.transportSuccess,
    provider_success: outcome.providerSuccess,
    result_valid: outcome.resultValid,
    billable_success: outcome.billableSuccess,
    outcome: outcome.outcome,
    reason_code: outcome.reasonCode,
    user_message: outcome.userMessage,
    error_message: end.errorMessage,
    http_status_code: end.httpStatusCode,
    provider_status_code: outcome.providerStatusCode,
    valid_result_count: outcome.validResultCount,
    raw_result_count: outcome.rawResultCount,
    chargeable_quantity: outcome.chargeableQuantity,
    retryable: outcome.retryable,
    duration_ms: end.durationMs,
    billing_rule: end.priceRule,
    bill: end.bill,
    requested_micro:
      event.type === 'ExecutionCompleted' && outcome.billableSuccess ? end.bill.listAmountMicroCredits : '0',
  };
}

function discoveryRow(event: FactOfUsage): UsageRow {
  const fact = event.data as unknown as ToolsSearched | ToolsInspected;
  return {
    id: fact.usageEventId,
    account_id: fact.accountId,
    effective_at: fact.completedAt,
    event_type: event.type === 'ToolsSearched' ? 'search' : 'search_by_ids',
    source_system: event.source,
    source_ref_type: 'search',
    source_ref_id: fact.searchId ?? fact.usageEventId,
    session_id: fact.sessionId,
    search_id: fact.searchId,
    api_key_id: fact.apiKeyId,
    oauth_client_id: fact.oauthClientId,
    project_id: fact.projectId,
    trace_id: event.traceId,
    credential_type: fact.credentialType,
    success: fact.success,
    billable_success: fact.success,
    reason_code: fact.reasonCode,
    error_message: fact.errorMessage,
    http_status_code: fact.httpStatusCode,
    raw_result_count: fact.resultCount,
    duration_ms: fact.durationMs,
    ...searchCharge(fact),
  };
}

/** The price of a search, where the deployment bills searches. */
function searchCharge(fact: ToolsSearched | ToolsInspected): Partial<UsageRow> {
  if (!('bill' in fact)) return { requested_micro: '0' };
  return {
    billing_rule: fact.priceRule,
    bill: fact.bill,
    chargeable_quantity: fact.bill.chargeLines[0]?.quantity,
    requested_micro: fact.success ? fact.bill.listAmountMicroCredits : '0',
  };
}
