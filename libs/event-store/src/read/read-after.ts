import type { Queryable } from '../queryable.js';
import { horizonSql } from '../schema/commit-order.js';
import { parsePosition, type Position } from './position.js';
import { eventColumnsSql, type EventRow, rowToEvent, type StoredEvent } from './stored-event.js';

/** Events in one read. */
export const MAX_READ_EVENTS = 5_000;

const pageSql = `(tx_order, position) > ($1::bigint, $2::bigint) AND tx_order < ${horizonSql}
  ORDER BY tx_order, position LIMIT $3`;
const readAllSql = `SELECT ${eventColumnsSql} FROM events WHERE ${pageSql}`;
/** One index range per topic, so that a reader of a quiet topic never walks a busy one. */
const readTopicsSql = `SELECT page.* FROM unnest($4::text[]) AS wanted(topic)
  CROSS JOIN LATERAL (SELECT ${eventColumnsSql} FROM events WHERE topic = wanted.topic AND ${pageSql}) page
  ORDER BY tx_order, position LIMIT $3`;

/**
 * The next events in commit order, of some topics or of all, and the position to go on from (`after` itself where there
 * was nothing). An event whose transaction is still open, or older than an open one, is not shown yet, so none is
 * ever passed by.
 */
export async function readAfter(
  db: Queryable,
  after: Position,
  limit: number,
  topics?: readonly string[],
): Promise<{ events: StoredEvent[]; position: Position }> {
  if (!(limit >= 1 && limit <= MAX_READ_EVENTS)) throw new RangeError(`a read takes 1 to ${MAX_READ_EVENTS} events`);
  const start = parsePosition(after);
  const values = [start.txOrder.toString(), start.position.toString(), limit];
  const { rows } =
    topics === undefined
      ? await db.query<EventRow>(readAllSql, values)
      : await db.query<EventRow>(readTopicsSql, [...values, [...new Set(topics)]]);
  const events = rows.map(rowToEvent);
  return { events, position: events.at(-1)?.position ?? after };
}
