import type { Queryable } from '../queryable.js';
import { eventColumnsSql, type EventRow, rowToEvent, type StoredEvent } from './stored-event.js';

/** Events of one stream that are read at once; a stream is meant to be far shorter. */
export const MAX_STREAM_EVENTS = 10_000;

const readStreamSql = `SELECT ${eventColumnsSql} FROM events WHERE stream_id = $1 ORDER BY sequence LIMIT ${MAX_STREAM_EVENTS + 1}`;

/** The whole stream in order; empty where there is none. Throws `RangeError` beyond `MAX_STREAM_EVENTS`. */
export async function readStream(db: Queryable, streamId: string): Promise<StoredEvent[]> {
  const { rows } = await db.query<EventRow>(readStreamSql, [streamId]);
  if (rows.length > MAX_STREAM_EVENTS) throw new RangeError(`stream "${streamId}" exceeds ${MAX_STREAM_EVENTS} events`);
  return rows.map(rowToEvent);
}
