import type pg from 'pg';

/** Events that are read to say how far behind a reader is; a count that stands there says "at least". */
export const MAX_UNREAD = 10_000;
/** Seconds that an event may wait before somebody should look; far longer than a restart. */
export const MAX_WAIT_SECONDS = 60;
const MAX_POSITIONS = 10_000;

const positionsSql = `
SELECT consumer_group AS "group", topic, partition, position FROM consumer_positions
 ORDER BY consumer_group, topic, partition LIMIT ${MAX_POSITIONS}`;
const unreadSql = `
SELECT tx_order || ':' || position AS position, partition_key AS key,
       EXTRACT(EPOCH FROM clock_timestamp() - recorded_at)::float AS age
  FROM events WHERE topic = $1 AND (tx_order, position) > ($2::bigint, $3::bigint)
 ORDER BY tx_order, position LIMIT ${MAX_UNREAD}`;

export interface ConsumerPosition {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** An offset of Kafka, or a place in the order of commits; empty at the beginning. */
  readonly position: string;
}

export interface UnreadEvent {
  readonly position: string;
  readonly key: string;
  /** Seconds. */
  readonly age: number;
}

export const readPositions = async (pool: pg.Pool): Promise<ConsumerPosition[]> =>
  (await pool.query<ConsumerPosition>(positionsSql)).rows;

/** Events of a topic after a place in the order of commits, oldest first. */
export const readUnread = async (pool: pg.Pool, topic: string, after: string): Promise<UnreadEvent[]> =>
  (await pool.query<UnreadEvent>(unreadSql, [topic, ...partsOf(after)])).rows;

/** The place in the order of commits that a position names. */
export const partsOf = (position: string): string[] => (position === '' ? ['0', '0'] : position.split(':'));

export const atLeast = (count: number): string => (count >= MAX_UNREAD ? `at least ${count}` : String(count));
