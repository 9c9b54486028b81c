import type pg from 'pg';

/** Rows of a queue that are counted; a gauge that stands there says "at least". */
const MAX_COUNTED = 100_000;
/** Consumer groups of which parked keys are counted. */
const MAX_GROUPS = 100;

const holdsSql = `
SELECT count(*)::int AS open, COALESCE(EXTRACT(EPOCH FROM $1::timestamptz - min(placed_at)), 0)::float AS oldest
  FROM (SELECT placed_at FROM holds WHERE state = 'open' LIMIT ${MAX_COUNTED}) AS h`;
const exceptionsSql = `
SELECT kind, count(*)::int AS open, EXTRACT(EPOCH FROM $1::timestamptz - min(raised_at))::float AS oldest
  FROM (SELECT kind, raised_at FROM open_exceptions ORDER BY exception_seq LIMIT ${MAX_COUNTED}) AS o GROUP BY kind`;
const parkedSql = `
SELECT consumer_group AS "group", count(DISTINCT partition_key)::int AS keys, count(*)::int AS events
  FROM (SELECT consumer_group, partition_key FROM parked_events LIMIT ${MAX_COUNTED}) AS p
 GROUP BY consumer_group ORDER BY consumer_group LIMIT ${MAX_GROUPS}`;

export interface Queues {
  readonly openHolds: number;
  readonly oldestHoldSeconds: number;
  /** By kind; those of which none is open are left out. */
  readonly exceptions: ReadonlyMap<string, number>;
  readonly oldestExceptionSeconds: number;
  readonly parked: readonly { readonly group: string; readonly keys: number; readonly events: number }[];
}

/** Counts what waits in billing: each queue is small, or counted up to a bound. */
export async function readQueues(pool: pg.Pool, now: Date): Promise<Queues> {
  const holds = await pool.query<{ open: number; oldest: number }>(holdsSql, [now]);
  const exceptions = await pool.query<{ kind: string; open: number; oldest: number }>(exceptionsSql, [now]);
  const parked = await pool.query<Queues['parked'][number]>(parkedSql);
  return {
    openHolds: holds.rows[0]?.open ?? 0,
    oldestHoldSeconds: Math.max(0, holds.rows[0]?.oldest ?? 0),
    exceptions: new Map(exceptions.rows.map(({ kind, open }) => [kind, open])),
    oldestExceptionSeconds: Math.max(0, ...exceptions.rows.map(({ oldest }) => oldest)),
    parked: parked.rows,
  };
}
