import type pg from 'pg';

/** Events that are read to say how far behind a reader is; a count that stands there says "at least". */
export const MAX_UNREAD = 10_000;
const MAX_POSITIONS = 10_000;

const positionsSql = `
SELECT consumer_group AS "group", topic, partition, position FROM consumer_positions
 ORDER BY consumer_group, topic, partition LIMIT ${MAX_POSITIONS}`;
const unreadSql = `
SELECT tx_order || ':' || position AS position, partition_key AS key,
       EXTRACT(EPOCH FROM clock_timestamp() - recorded_at)::float AS age
  FROM events WHERE topic = $1 AND (tx_order, position) > ($2::bigint, $3::bigint)
 ORDER BY tx_order, position LIMIT ${MAX_UNREAD}`;
const relaysSql = `
SELECT relay, expires_at < clock_timestamp() AS idle, position FROM relay_leases ORDER BY relay LIMIT 100`;
const unpublishedSql = `
SELECT count(*)::int AS events, COALESCE(max(EXTRACT(EPOCH FROM clock_timestamp() - recorded_at)), 0)::float AS age
  FROM (SELECT recorded_at FROM events
         WHERE topic = ANY($3::text[]) AND (tx_order, position) > ($1::bigint, $2::bigint)
         ORDER BY tx_order, position LIMIT ${MAX_UNREAD}) AS e`;

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

export interface Relay {
  readonly relay: string;
  /** Nobody holds its lease. */
  readonly idle: boolean;
  readonly position: string;
}

export const readPositions = async (pool: pg.Pool): Promise<ConsumerPosition[]> =>
  (await pool.query<ConsumerPosition>(positionsSql)).rows;

/** Events of a topic after a place in the order of commits, oldest first. */
export const readUnread = async (pool: pg.Pool, topic: string, after: string): Promise<UnreadEvent[]> =>
  (await pool.query<UnreadEvent>(unreadSql, [topic, ...partsOf(after)])).rows;

export const readRelays = async (pool: pg.Pool): Promise<Relay[]> => (await pool.query<Relay>(relaysSql)).rows;

/** How many events of the event table wait behind a place, and the seconds that the oldest waits. Other topics stay local. */
export async function readUnpublished(
  pool: pg.Pool,
  after: string,
  topics: readonly string[],
): Promise<{ readonly events: number; readonly age: number }> {
  const { rows } = await pool.query<{ events: number; age: number }>(unpublishedSql, [...partsOf(after), topics]);
  return rows[0] ?? { events: 0, age: 0 };
}

const partsOf = (position: string): string[] => (position === '' ? ['0', '0'] : position.split(':'));
