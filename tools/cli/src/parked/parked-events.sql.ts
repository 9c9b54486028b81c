import type pg from 'pg';

/** Events of one service in a list. */
const MAX_LISTED = 1_000;
/** Groups of one service that are counted, and events of theirs. */
const MAX_GROUPS = 100;
const MAX_COUNTED = 100_000;

const listSql = `
SELECT consumer_group AS "group", partition_key AS key, event_id, topic, event->>'type' AS type, reason, parked_at
  FROM parked_events ORDER BY id LIMIT ${MAX_LISTED}`;
const showSql = `
SELECT consumer_group AS "group", partition_key AS key, event_id, topic, event->>'type' AS type, reason, parked_at, event
  FROM parked_events WHERE event_id = $1 ORDER BY id LIMIT ${MAX_GROUPS}`;
const countSql = `
SELECT consumer_group AS "group", count(DISTINCT partition_key)::int AS keys, count(*)::int AS events
  FROM (SELECT consumer_group, partition_key FROM parked_events LIMIT ${MAX_COUNTED}) AS p
 GROUP BY consumer_group ORDER BY consumer_group LIMIT ${MAX_GROUPS}`;

export interface ParkedRow {
  readonly group: string;
  readonly key: string;
  readonly event_id: string;
  readonly topic: string;
  readonly type: string;
  readonly reason: string;
  readonly parked_at: Date;
}

/** The event as it was published, too. */
export interface ShownRow extends ParkedRow {
  readonly event: object;
}

/** Oldest first, at most a thousand. */
export const listParkedRows = async (pool: pg.Pool): Promise<ParkedRow[]> =>
  (await pool.query<ParkedRow>(listSql)).rows;

/** One row for each group that has parked the event. */
export const findParkedRows = async (pool: pg.Pool, eventId: string): Promise<ShownRow[]> =>
  (await pool.query<ShownRow>(showSql, [eventId])).rows;

export const countParked = async (
  pool: pg.Pool,
): Promise<readonly { readonly group: string; readonly keys: number; readonly events: number }[]> =>
  (await pool.query<{ group: string; keys: number; events: number }>(countSql)).rows;
