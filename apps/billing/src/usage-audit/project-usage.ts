import { topicNames, type EventEnvelope, type UsageSettled } from '@capability-router/contracts';
import { traceIdOf } from '@capability-router/service-kit';
import type pg from 'pg';
import { reviseUsage } from '../revisions/revised-outcomes.sql.js';
import { isTerminal } from '../settlement/domain/request-settlement.js';
import { applyRefunds } from './apply-refunds.sql.js';
import type { UsageRow } from './domain/usage-columns.js';
import { usageRowOf } from './domain/usage-row.js';
import { recordFacts, upsertRows, upsertSettlements } from './project-usage.sql.js';

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
    const row = usageRowOf({ ...fact, traceId: traceIdOf(fact.traceparent) });
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
