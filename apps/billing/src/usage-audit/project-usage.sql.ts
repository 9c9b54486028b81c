import type { EventEnvelope, UsageSettled } from '@capability-router/contracts';
import { traceIdOf } from '@capability-router/service-kit';
import type pg from 'pg';
import { unlessRevised } from '../revisions/revised-outcomes.sql.js';
import { factColumns, type UsageRow } from './domain/usage-columns.js';

const recordFactsSql = `
INSERT INTO usage_facts (event_id, topic, type, subject, account_id, effective_at, data, trace_id)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::jsonb[], $8::text[])
ON CONFLICT (event_id) DO NOTHING RETURNING event_id, record_seq`;

/** The record sequence of each new fact. One that was recorded before has its row. */
export async function recordFacts(
  tx: pg.PoolClient,
  facts: readonly EventEnvelope[],
): Promise<ReadonlyMap<string, string>> {
  if (facts.length === 0) return new Map();
  const values = [
    facts.map((fact) => fact.id),
    facts.map((fact) => fact.topic),
    facts.map((fact) => fact.type),
    facts.map((fact) => fact.subject),
    facts.map((fact) => fact.partitionKey),
    facts.map((fact) => (fact.data as { completedAt?: string }).completedAt ?? fact.time),
    facts.map((fact) => JSON.stringify(fact.data)),
    facts.map((fact) => traceIdOf(fact.traceparent) ?? null),
  ];
  const { rows } = await tx.query<{ event_id: string; record_seq: string }>({
    name: 'record-usage-facts',
    text: recordFactsSql,
    values,
  });
  return new Map(rows.map((row) => [row.event_id, row.record_seq]));
}

const upsertRowsSql = `
INSERT INTO usage_events (id, account_id, effective_at, recorded, ${factColumns.join(', ')}, revised_at)
SELECT r.id, r.account_id, r.effective_at, true, ${factColumns.map((column) => unlessRevised(column, `r.${column}`)).join(', ')}, v.revised_at
  FROM jsonb_populate_recordset(NULL::usage_events, $1::jsonb) AS r
  LEFT JOIN outcome_revisions v ON v.usage_event_id = r.id AND v.account_id = r.account_id
 ORDER BY r.id
ON CONFLICT (id) DO UPDATE SET recorded = true, ${[...factColumns, 'revised_at'].map((column) => `${column} = EXCLUDED.${column}`).join(', ')}
 WHERE NOT usage_events.recorded`;

export async function upsertRows(tx: pg.PoolClient, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length > 0) await tx.query({ name: 'upsert-usage', text: upsertRowsSql, values: [JSON.stringify(rows)] });
}

const upsertSettlementsSql = `
INSERT INTO usage_events (id, account_id, effective_at, recorded, execution_id, settlement_status, settled_micro, ledger_entry_id, settled_at, covered_micro)
SELECT id, account_id, effective_at, false, execution_id, status, settled, ledger_entry_id, settled_at, covered
  FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::timestamptz[], $9::bigint[])
    AS v (id, account_id, effective_at, execution_id, status, settled, ledger_entry_id, settled_at, covered) ORDER BY id
ON CONFLICT (id) DO UPDATE SET settlement_status = EXCLUDED.settlement_status, settled_micro = EXCLUDED.settled_micro,
       ledger_entry_id = EXCLUDED.ledger_entry_id, settled_at = EXCLUDED.settled_at, covered_micro = EXCLUDED.covered_micro`;

export async function upsertSettlements(tx: pg.PoolClient, settlements: readonly UsageSettled[]): Promise<void> {
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
