import type { Queryable } from '../queryable.js';
import { parsePosition, type Position } from './position.js';

const ofAllSql = `SELECT recorded_at AS at FROM events
  WHERE (tx_order, position) > ($1::bigint, $2::bigint) ORDER BY tx_order, position LIMIT 1`;
/** One index range per topic, as in `readAfter`. */
const ofTopicsSql = `SELECT min(oldest.recorded_at) AS at FROM unnest($3::text[]) AS wanted(topic)
  CROSS JOIN LATERAL (
    SELECT recorded_at FROM events
     WHERE (topic, tx_order, position) > (wanted.topic, $1::bigint, $2::bigint) AND topic <= wanted.topic
     ORDER BY topic, tx_order, position LIMIT 1) oldest`;

/**
 * When the first committed event after a position was recorded, of some topics or of all; undefined where there is none. Unlike `readAfter` it
 * sees an event that is newer than a transaction which is still open, anywhere in the cluster: readers wait for that one.
 */
export async function oldestUnread(
  db: Queryable,
  after: Position,
  topics?: readonly string[],
): Promise<Date | undefined> {
  const start = parsePosition(after);
  const values = [start.txOrder.toString(), start.position.toString()];
  const { rows } =
    topics === undefined
      ? await db.query<{ at: Date | null }>({ name: 'oldest-unread-event', text: ofAllSql, values })
      : await db.query<{ at: Date | null }>({
          name: 'oldest-unread-of-topics',
          text: ofTopicsSql,
          values: [...values, [...new Set(topics)]],
        });
  return rows[0]?.at ?? undefined;
}
