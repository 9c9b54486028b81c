import type { ContextName } from '@capability-router/contracts';
import type { Queryable } from '../queryable.js';
import { txOrderSql } from '../schema/commit-order.js';
import { AppendConflictError } from './append-conflict.js';
import { type NewEvent, toColumns } from './new-event.js';

export interface BatchItem {
  streamId: string;
  /** The event's own sequence in its stream, from 1. */
  sequence: number;
  event: NewEvent;
}

/** Events in one call. */
export const MAX_BATCH_EVENTS = 5_000;

const appendBatchSql = `
WITH input AS (
  SELECT stream_id, sequence, event_id, type, topic, partition_key, documents->0 AS data, documents->1 AS meta, recorded_at, ordinal
    FROM ROWS FROM (
      unnest($2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::timestamptz[]),
      jsonb_array_elements($9::jsonb)
    ) WITH ORDINALITY AS i(stream_id, sequence, event_id, type, topic, partition_key, recorded_at, documents, ordinal)
), streams AS (
  SELECT s.stream_id, coalesce(head.sequence, 0) AS last_sequence, ${txOrderSql('head.tx_order')} AS tx_order
    FROM (SELECT DISTINCT stream_id FROM input) s
    LEFT JOIN LATERAL (
      SELECT sequence, tx_order FROM events e WHERE e.stream_id = s.stream_id ORDER BY e.sequence DESC LIMIT 1
    ) head ON true
), placed AS (
  SELECT input.*, streams.tx_order,
         input.sequence = last_sequence + row_number() OVER (PARTITION BY input.stream_id ORDER BY ordinal) AS dense
    FROM input JOIN streams USING (stream_id)
), written AS (
  INSERT INTO events (tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at)
  SELECT tx_order, event_id, stream_id, sequence, type, $1, topic, partition_key, data, meta, coalesce(recorded_at, now())
    FROM placed WHERE NOT EXISTS (SELECT 1 FROM placed WHERE NOT dense) ORDER BY ordinal
  RETURNING 1
)
SELECT (SELECT count(*)::int FROM written) AS written, (SELECT min(stream_id) FROM placed WHERE NOT dense) AS conflict`;

/**
 * Many streams in one statement, each event at its expected sequence (several of one stream in order); all or nothing.
 * For writers that hold a lock on each stream's owner. Throws `AppendConflictError` where a stream is elsewhere; after a
 * lost race (unique violation) the caller's transaction is aborted as well.
 */
export async function appendBatch(db: Queryable, source: ContextName, items: readonly BatchItem[]): Promise<void> {
  if (items.length === 0) return;
  if (items.length > MAX_BATCH_EVENTS) throw new RangeError(`a batch takes at most ${MAX_BATCH_EVENTS} events`);
  const columns = toColumns(items.map((item) => item.event));
  const values = [
    source,
    items.map((item) => item.streamId),
    items.map((item) => item.sequence),
    columns.ids,
    columns.types,
    columns.topics,
    columns.partitionKeys,
    columns.times,
    // One text for all: as arrays, each quote of each document would be escaped here and unescaped there.
    `[${columns.data.map((data, index) => `[${data},${columns.meta[index] ?? '{}'}]`).join(',')}]`,
  ];
  const { rows } = await db
    .query<{ written: number; conflict: string | null }>({ name: 'append-batch', text: appendBatchSql, values })
    .catch((cause: unknown) => {
      if ((cause as { code?: unknown }).code !== '23505') throw cause;
      throw new AppendConflictError('a stream or event id of the batch was written meanwhile', { cause });
    });
  if (rows[0]?.written !== items.length) {
    throw new AppendConflictError(`stream "${rows[0]?.conflict ?? '?'}" is not where the batch expects it`);
  }
}
