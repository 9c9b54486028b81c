import type { Queryable } from '../queryable.js';
import { parsePosition, type Position } from './position.js';

/** One index range per topic, as in `readAfter`. */
const ofTopicsSql = `SELECT min(oldest.recorded_at) AS at FROM unnest($3::text[]) AS wanted(topic)
  CROSS JOIN LATERAL (
    SELECT recorded_at FROM events
     WHERE (topic, tx_order, position) > (wanted.topic, $1::bigint, $2::bigint) AND topic <= wanted.topic
     ORDER BY topic, tx_order, position LIMIT 1) oldest`;

interface Oldest {
  readonly at: Date | null;
}

const partsOf = (after: Position): string[] => {
  const { txOrder, position } = parsePosition(after);
  return [txOrder.toString(), position.toString()];
};

/**
 * When the first committed event after a position was recorded, of some topics or of all; undefined where there is none. Unlike `readAfter` it
 * sees an event that is newer than a transaction which is still open, anywhere in the cluster: readers wait for that one.
 */
export async function oldestUnread(
  db: Queryable,
  after: Position,
  topics?: readonly string[],
): Promise<Date | undefined> {
  if (topics === undefined) return ofAllEvents(db, after);
  const values = [...partsOf(after), [...new Set(topics)]];
  const { rows } = await db.query<Oldest>({ name: 'oldest-unread-of-topics', text: ofTopicsSql, values });
  return rows[0]?.at ?? undefined;
}

/** The same of any table that is its own outbox, by the column that says when a row was recorded. Both are names, and no input. */
export function oldestUnreadOf(
  table: string,
  recordedAt: string,
): (db: Queryable, after: Position) => Promise<Date | undefined> {
  const text = `SELECT ${recordedAt} AS at FROM ${table}
  WHERE (tx_order, position) > ($1::bigint, $2::bigint) ORDER BY tx_order, position LIMIT 1`;
  return async (db, after) => {
    const { rows } = await db.query<Oldest>({ name: `oldest-unread-of-${table}`, text, values: partsOf(after) });
    return rows[0]?.at ?? undefined;
  };
}

const ofAllEvents = oldestUnreadOf('events', 'recorded_at');
