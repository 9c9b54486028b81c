import {
  topicNames,
  type EventEnvelope,
  type ExecutionCompleted,
  type ToolsInspected,
  type ToolsSearched,
  type UsageSettled,
} from '@capability-router/contracts';
import { usageEventIdOf, type ExecutionId } from '@capability-router/kernel';
import type pg from 'pg';
import { reviseUsage, unlessRevised } from '../revisions/revised-outcomes.js';
import { isTerminal, wasAskedToRetry } from '../settlement/domain/request-settlement.js';
import { applyRefunds } from './apply-refunds.js';
import { modelCallRow } from './model-call-row.js';

/**
 * Of what `usageRowOf` makes of a fact. Raise it whenever that changes; rows of before keep what they have until the audit
 * is rebuilt (`caprouter projections rebuild usage-audit`), and billing says so when it starts. What changed stands in
 * `docs/guides/long-histories.md`.
 */
export const USAGE_AUDIT_VERSION = 2;

/** The columns that a source fact fills; the settlement columns are filled by `UsageSettled`. */
export interface UsageRow {
  readonly [column: string]: unknown;
}

/**
 * Builds the audit in the caller's transaction: the row from the fact, then its settlement. Both are upserts on the
 * same id, so they may arrive in either order and any number of times.
 */
export async function projectUsage(tx: pg.PoolClient, events: readonly EventEnvelope[]): Promise<void> {
  const facts = events.filter(
    (event) => isTerminal(event) || event.topic === topicNames.searches || event.type === 'ModelCallImported',
  );
  const settlements = events
    .filter((event) => event.type === 'UsageSettled')
    .map((event) => event.data as unknown as UsageSettled)
    // Nothing would ever complete the row that it would begin.
    .filter((settlement) => settlement.audited !== false);
  const recordSeqOf = await recordFacts(tx, facts);
  const rows = facts.flatMap((fact): UsageRow[] => {
    const row = usageRowOf(fact);
    return row === undefined ? [] : [{ ...row, record_seq: recordSeqOf.get(fact.id) }];
  });
  await upsertRows(tx, lastOfEach(rows));
  await upsertSettlements(tx, lastOfEach(settlements.map((s) => ({ ...s, id: s.usageEventId }))));
  await applyRefunds(tx, events);
  await reviseUsage(tx, events);
}

/** One statement cannot touch a row twice; a redelivered fact is equal to the first. */
function lastOfEach<T extends { readonly id?: unknown }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

const recordFactsSql = `
INSERT INTO usage_facts (event_id, topic, type, subject, account_id, effective_at, data)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::jsonb[])
ON CONFLICT (event_id) DO NOTHING RETURNING event_id, record_seq`;

/** The record sequence of each new fact. One that was recorded before has its row. */
async function recordFacts(tx: pg.PoolClient, facts: readonly EventEnvelope[]): Promise<ReadonlyMap<string, string>> {
  if (facts.length === 0) return new Map();
  const values = [
    facts.map((fact) => fact.id),
    facts.map((fact) => fact.topic),
    facts.map((fact) => fact.type),
    facts.map((fact) => fact.subject),
    facts.map((fact) => fact.partitionKey),
    facts.map((fact) => (fact.data as { completedAt?: string }).completedAt ?? fact.time),
    facts.map((fact) => JSON.stringify(fact.data)),
  ];
  const { rows } = await tx.query<{ event_id: string; record_seq: string }>({
    name: 'record-usage-facts',
    text: recordFactsSql,
    values,
  });
  return new Map(rows.map((row) => [row.event_id, row.record_seq]));
}

/** What of an event is kept in `usage_facts`. */
export type FactOfUsage = Pick<EventEnvelope, 'type' | 'topic' | 'source' | 'data'>;

/** What a fact tells of its row; undefined of a call that leaves none. */
export function usageRowOf(event: FactOfUsage): UsageRow | undefined {
  if (wasAskedToRetry(event)) return undefined;
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

/** What a search costs, where the deployment bills searches. */
function searchCharge(fact: ToolsSearched | ToolsInspected): UsageRow {
  if (!('bill' in fact)) return { requested_micro: '0' };
  return {
    billing_rule: fact.priceRule,
    bill: fact.bill,
    chargeable_quantity: fact.bill.chargeLines[0]?.quantity,
    requested_micro: fact.success ? fact.bill.listAmountMicroCredits : '0',
  };
}

export const factColumns = [
  'record_seq',
  'event_type',
  'source_system',
  'source_ref_type',
  'source_ref_id',
  'session_id',
  'search_id',
  'execution_id',
  'tool_id',
  'provider_id',
  'api_key_id',
  'oauth_client_id',
  'credential_type',
  'model',
  'success',
  'transport_success',
  'provider_success',
  'result_valid',
  'billable_success',
  'outcome',
  'reason_code',
  'user_message',
  'error_message',
  'http_status_code',
  'provider_status_code',
  'valid_result_count',
  'raw_result_count',
  'chargeable_quantity',
  'retryable',
  'duration_ms',
  'billing_rule',
  'bill',
  'requested_micro',
];

const upsertRowsSql = `
INSERT INTO usage_events (id, account_id, effective_at, recorded, ${factColumns.join(', ')}, revised_at)
SELECT r.id, r.account_id, r.effective_at, true, ${factColumns.map((column) => unlessRevised(column, `r.${column}`)).join(', ')}, v.revised_at
  FROM jsonb_populate_recordset(NULL::usage_events, $1::jsonb) AS r
  LEFT JOIN outcome_revisions v ON v.usage_event_id = r.id AND v.account_id = r.account_id
 ORDER BY r.id
ON CONFLICT (id) DO UPDATE SET recorded = true, ${[...factColumns, 'revised_at'].map((column) => `${column} = EXCLUDED.${column}`).join(', ')}
 WHERE NOT usage_events.recorded`;

async function upsertRows(tx: pg.PoolClient, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length > 0) await tx.query({ name: 'upsert-usage', text: upsertRowsSql, values: [JSON.stringify(rows)] });
}

const upsertSettlementsSql = `
INSERT INTO usage_events (id, account_id, effective_at, recorded, execution_id, settlement_status, settled_micro, ledger_entry_id, settled_at, covered_micro)
SELECT id, account_id, effective_at, false, execution_id, status, settled, ledger_entry_id, settled_at, covered
  FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::timestamptz[], $9::bigint[])
    AS v (id, account_id, effective_at, execution_id, status, settled, ledger_entry_id, settled_at, covered) ORDER BY id
ON CONFLICT (id) DO UPDATE SET settlement_status = EXCLUDED.settlement_status, settled_micro = EXCLUDED.settled_micro,
       ledger_entry_id = EXCLUDED.ledger_entry_id, settled_at = EXCLUDED.settled_at, covered_micro = EXCLUDED.covered_micro`;

async function upsertSettlements(tx: pg.PoolClient, settlements: readonly UsageSettled[]): Promise<void> {
  if (settlements.length === 0) return;
  await tx.query({
    name: 'upsert-usage-settlement',
    text: upsertSettlementsSql,
    values: [
      settlements.map((s) => s.usageEventId),
      settlements.map((s) => s.accountId),
      settlements.map((s) => s.effectiveAt),
      settlements.map((s) => s.executionId ?? null),
      settlements.map((s) => s.status),
      settlements.map((s) => s.settledMicroCredits),
      settlements.map((s) => s.ledgerEntryId ?? null),
      settlements.map((s) => s.settledAt),
      settlements.map((s) => s.coveredMicroCredits ?? '0'),
    ],
  });
}
