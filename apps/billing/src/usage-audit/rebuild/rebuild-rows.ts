import { topics, type EventEnvelope } from '@capability-router/contracts';
import type { UsageRow } from '../domain/usage-columns.js';
import { usageRowOf } from '../domain/usage-row.js';

/** A row of `usage_facts`. */
export interface FactRow {
  readonly event_id: string;
  readonly topic: string;
  readonly type: string;
  readonly data: EventEnvelope['data'];
  readonly record_seq: string;
  readonly trace_id: string | null;
}

/** A fact is kept without its source, which is the producer of its topic. */
const producers = new Map(topics.map(({ name, producer }) => [name, producer]));

/** Rows as the live projection makes them of these facts; of several facts of one row the one that was recorded first. */
export function projectFacts(facts: readonly FactRow[]): UsageRow[] {
  const rows = new Map<string, UsageRow & { readonly record_seq: string }>();
  for (const fact of facts) {
    const source = producers.get(fact.topic);
    if (source === undefined) throw new Error(`the fact ${fact.event_id} is of the unknown topic ${fact.topic}`);
    const { topic, type, data, trace_id: traceId } = fact;
    const row = usageRowOf({ topic, type, source, data, ...(traceId === null ? {} : { traceId }) });
    if (row === undefined) continue;
    const other = rows.get(row.id);
    if (other !== undefined && BigInt(other.record_seq) < BigInt(fact.record_seq)) continue;
    rows.set(row.id, { ...row, record_seq: fact.record_seq });
  }
  return [...rows.values()];
}
