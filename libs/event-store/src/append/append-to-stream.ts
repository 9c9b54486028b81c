import type { ContextName } from '@capability-router/contracts';
import type { Queryable } from '../queryable.js';
import { txOrderSql } from '../schema/commit-order.js';
import { type NewEvent, toColumns } from './new-event.js';

export type AppendResult =
  | { status: 'appended'; lastSequence: number }
  | { status: 'version_conflict'; actualSequence: number };

/** Events in one call. */
export const MAX_EVENTS_PER_APPEND = 500;
/** Appends at the end (`'any'`) that may lose the race before the caller hears of it. */
const MAX_ATTEMPTS_AT_END = 10;

/**
 * The first event decides: whoever writes it owns the sequences after it, so the rest cannot meet a conflict, and a
 * lost race writes nothing and aborts no transaction. $2 is the expected sequence, NULL for "at the end".
 */
const appendSql = `
WITH head AS (
  SELECT sequence, tx_order FROM events WHERE stream_id = $1 ORDER BY sequence DESC LIMIT 1
), base AS (
  SELECT coalesce((SELECT sequence FROM head), 0) AS last_sequence,
         ${txOrderSql('(SELECT tx_order FROM head)')} AS tx_order
), input AS (
  SELECT * FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::jsonb[], $9::jsonb[], $10::timestamptz[])
    WITH ORDINALITY AS i(event_id, type, topic, partition_key, data, meta, recorded_at, ordinal)
), first AS (
  INSERT INTO events (tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at)
  SELECT base.tx_order, event_id, $1, last_sequence + 1, type, $3, topic, partition_key, data, meta, coalesce(recorded_at, now())
    FROM input, base WHERE ordinal = 1 AND ($2::bigint IS NULL OR last_sequence = $2::bigint)
  ON CONFLICT DO NOTHING
  RETURNING sequence, tx_order, recorded_at
), rest AS (
  INSERT INTO events (tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at)
  SELECT first.tx_order, event_id, $1, first.sequence + ordinal - 1, type, $3, topic, partition_key, data, meta,
         coalesce(input.recorded_at, now())
    FROM input, first WHERE ordinal > 1 ORDER BY ordinal
  RETURNING sequence
)
SELECT (SELECT last_sequence FROM base)::text AS seen,
       greatest((SELECT max(sequence) FROM first), (SELECT max(sequence) FROM rest))::text AS last`;

/**
 * Appends in one SQL statement, so it can run on a pool without a transaction. `expectedSequence` 0: the stream must
 * not exist; `'any'`: at its end. An expected version that is not met is a value, and the caller's transaction goes on.
 * Throws for an event id that is already used, or more than `MAX_EVENTS_PER_APPEND` events.
 */
export async function appendToStream(
  db: Queryable,
  source: ContextName,
  streamId: string,
  expectedSequence: number | 'any',
  events: readonly NewEvent[],
): Promise<AppendResult> {
  if (events.length === 0 || events.length > MAX_EVENTS_PER_APPEND) {
    throw new RangeError(`an append takes 1 to ${MAX_EVENTS_PER_APPEND} events, not ${events.length}`);
  }
  const columns = toColumns(events);
  const expected = expectedSequence === 'any' ? null : expectedSequence;
  const values = [
    streamId,
    expected,
    source,
    columns.ids,
    columns.types,
    columns.topics,
    columns.partitionKeys,
    columns.data,
    columns.meta,
    columns.times,
  ];
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await db.query<{ seen: string; last: string | null }>({
      name: 'append-to-stream',
      text: appendSql,
      values,
    });
    const row = rows[0];
    if (row?.last != null) return { status: 'appended', lastSequence: Number(row.last) };
    const seen = Number(row?.seen ?? 0);
    if (expected !== null && seen !== expected) return { status: 'version_conflict', actualSequence: seen };
    // The stream moved between this statement's snapshot and its insert, or the event id is taken elsewhere.
    const actual = await lastSequence(db, streamId);
    if (actual === seen) throw new Error(`an event id of the append to "${streamId}" is already used`);
    if (expected !== null || attempt === MAX_ATTEMPTS_AT_END) {
      return { status: 'version_conflict', actualSequence: actual };
    }
  }
}

async function lastSequence(db: Queryable, streamId: string): Promise<number> {
  const { rows } = await db.query<{ sequence: string }>(
    'SELECT coalesce(max(sequence), 0)::text AS sequence FROM events WHERE stream_id = $1',
    [streamId],
  );
  return Number(rows[0]?.sequence ?? 0);
}
