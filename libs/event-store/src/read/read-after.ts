import type { Queryable } from '../queryable.js';
import { horizonSql } from '../schema/commit-order.js';
import { parsePosition, type Position } from './position.js';
import { eventHeadSql, type EventRow, rowToEvent, type StoredEvent } from './stored-event.js';

/** Events in one read. */
export const MAX_READ_EVENTS = 5_000;

/**
 * The limit is a query, so that the planner cannot know it and plans for the first tenth of the rows: in the order of the
 * index, ended by the limit. With the number before it, and statistics from before a burst of events, it expects fewer
 * rows than the limit, and a reader that is behind fetches and sorts all that it has yet to read for every page.
 */
const limitSql = 'LIMIT (SELECT $3::bigint)';
const readAllSql = `SELECT ${eventHeadSql}, CASE WHEN $4 THEN data ELSE '{}' END AS data FROM events
  WHERE (tx_order, position) > ($1::bigint, $2::bigint) AND tx_order < ${horizonSql}
  ORDER BY tx_order, position ${limitSql}`;
/**
 * One index range per topic, so that a reader of a quiet topic never walks a busy one. Both bounds name the topic, and
 * none says that it is equal: where it does, and nearly all events are of one topic, the planner takes the index without
 * the topic, and a reader of any other walks the whole table each time.
 */
const readTopicsSql = `SELECT page.* FROM unnest($4::text[]) AS wanted(topic)
  CROSS JOIN LATERAL (
    SELECT ${eventHeadSql}, CASE WHEN $5 THEN data ELSE '{}' END AS data FROM events
     WHERE (topic, tx_order, position) > (wanted.topic, $1::bigint, $2::bigint)
       AND (topic, tx_order) < (wanted.topic, ${horizonSql})
     ORDER BY topic, tx_order, position ${limitSql}) page
  ORDER BY tx_order, position ${limitSql}`;

/**
 * The next events in commit order, of some topics or of all, and the position to go on from (`after` itself where there
 * was nothing). An event whose transaction is still open, or older than an open one, is not shown yet, so none is
 * ever passed by. `parts`: `heads` for events whose `data` is left out.
 */
export async function readAfter(
  db: Queryable,
  after: Position,
  limit: number,
  topics?: readonly string[],
  parts: 'whole' | 'heads' = 'whole',
): Promise<{ events: StoredEvent[]; position: Position }> {
  if (!(limit >= 1 && limit <= MAX_READ_EVENTS)) throw new RangeError(`a read takes 1 to ${MAX_READ_EVENTS} events`);
  const start = parsePosition(after);
  const values = [start.txOrder.toString(), start.position.toString(), limit];
  const isWhole = parts === 'whole';
  const { rows } =
    topics === undefined
      ? await db.query<EventRow>({ name: 'read-events', text: readAllSql, values: [...values, isWhole] })
      : await db.query<EventRow>({
          name: 'read-topics',
          text: readTopicsSql,
          values: [...values, [...new Set(topics)], isWhole],
        });
  const events = rows.map(rowToEvent);
  return { events, position: events.at(-1)?.position ?? after };
}
