import type { EventEnvelope } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { formatPosition, type Position } from './position.js';

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

export const eventColumnsSql =
  'tx_order, position, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at';

/** The same without what the events say, for readers of which something else is asked then: `data` is empty. */
export const eventHeadColumnsSql = eventColumnsSql.replace(' data,', ` '{}'::jsonb AS data,`);

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
