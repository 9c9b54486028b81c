import type { ContextName } from '@capability-router/contracts';
import { txOrderSql } from '../schema/commit-order.js';
import { MAX_BATCH_EVENTS } from './append-batch.js';
import { AppendConflictError } from './append-conflict.js';
import { type NewEvent, toColumns } from './new-event.js';

export interface FirstEvent {
  readonly streamId: string;
  readonly event: NewEvent;
}

/**
 * The rows that the same statement writes beside the events: data-modifying CTEs (`name AS (INSERT …), …`) in SQL that
 * is fixed in the code. Its one parameter is `$9`, a JSON text.
 */
export interface Beside {
  /** The name of the prepared statement; one name stands for one SQL. */
  readonly name: string;
  readonly ctes: string;
  readonly json: string;
}

/** A pool of `pg`, or a client of one. */
export interface PreparingQueryable {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<unknown>;
}

const sqlWith = (ctes: string): string => `
WITH written AS (
  INSERT INTO events (tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at)
  SELECT ${txOrderSql()}, event_id, stream_id, sequence, type, $1, topic, partition_key, documents->0, documents->1,
         coalesce(recorded_at, now())
    FROM ROWS FROM (
      unnest($2::text[], $10::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[]),
      jsonb_array_elements($8::jsonb)
    ) WITH ORDINALITY AS i(stream_id, sequence, event_id, type, topic, partition_key, recorded_at, documents, ordinal)
   ORDER BY ordinal
), ${ctes}
SELECT 1`;

/**
 * The first events of new streams, those of one stream in their order, and what belongs beside them, in one statement: one
 * round trip and one commit, however many there are. All or nothing. Throws `AppendConflictError` where a stream or an event id exists.
 */
export async function appendFirstEvents(
  db: PreparingQueryable,
  source: ContextName,
  items: readonly FirstEvent[],
  beside: Beside,
): Promise<void> {
  if (items.length === 0) return;
  if (items.length > MAX_BATCH_EVENTS) throw new RangeError(`a batch takes at most ${MAX_BATCH_EVENTS} events`);
  const columns = toColumns(items.map((item) => item.event));
  const values = [
    source,
    items.map((item) => item.streamId),
    columns.ids,
    columns.types,
    columns.topics,
    columns.partitionKeys,
    columns.times,
    `[${columns.data.map((data, index) => `[${data},${columns.meta[index] ?? '{}'}]`).join(',')}]`,
    beside.json,
    sequencesOf(items),
  ];
  await db.query({ name: beside.name, text: sqlWith(beside.ctes), values }).catch((cause: unknown) => {
    const { code, constraint = '' } = cause as { code?: unknown; constraint?: string };
    if (code !== '23505' || !constraint.startsWith('events_')) throw cause;
    throw new AppendConflictError('a stream or event id of the batch exists already', { cause });
  });
}

/** The place of each in its stream, from 1. */
function sequencesOf(items: readonly FirstEvent[]): number[] {
  const lengths = new Map<string, number>();
  return items.map(({ streamId }) => {
    const sequence = (lengths.get(streamId) ?? 0) + 1;
    lengths.set(streamId, sequence);
    return sequence;
  });
}
