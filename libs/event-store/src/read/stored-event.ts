import type { EventEnvelope } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { comparePositions, formatPosition, type Position } from './position.js';

export interface StoredEvent extends EventEnvelope {
  readonly position: Position;
}

/** A row of `events`, as node-postgres gives it (BIGINT as text). */
export interface EventRow {
  tx_order: string;
  position: string;
  event_id: string;
  stream_id: string;
  sequence: string;
  type: string;
  source: string;
  topic: string;
  partition_key: string;
  data: JsonObject;
  meta: { correlationId?: string; causationId?: string; traceparent?: string };
  recorded_at: Date;
}

/** All but `data`. */
export const eventHeadSql =
  'tx_order, position, event_id, stream_id, sequence, type, source, topic, partition_key, meta, recorded_at';
export const eventColumnsSql = `${eventHeadSql}, data`;

export function rowToEvent(row: EventRow): StoredEvent {
  return {
    id: row.event_id,
    type: row.type,
    source: row.source,
    subject: row.stream_id,
    sequence: Number(row.sequence),
    time: row.recorded_at.toISOString(),
    topic: row.topic,
    partitionKey: row.partition_key,
    ...row.meta,
    data: row.data,
    position: formatPosition(row.tx_order, row.position),
  };
}

/** The index of the first of events in their order that comes after a position; their number where none does. */
export function firstAfter(events: readonly Pick<StoredEvent, 'position'>[], position: Position): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const event = events[middle];
    if (event !== undefined && comparePositions(event.position, position) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
