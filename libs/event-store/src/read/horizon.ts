import type { Queryable } from '../queryable.js';
import { horizonSql } from '../schema/commit-order.js';
import { formatPosition, type Position } from './position.js';

const MAX_BIGINT = 9_223_372_036_854_775_807n;

/** The position from which a reader sees everything that is committed from now on (and perhaps a little before). */
export async function currentHorizon(db: Queryable): Promise<Position> {
  const { rows } = await db.query<{ last_readable: string }>(`SELECT (${horizonSql} - 1)::text AS last_readable`);
  const lastReadable = rows[0]?.last_readable;
  if (lastReadable === undefined) throw new Error('the event store has no epoch: run its migration');
  return formatPosition(lastReadable, MAX_BIGINT);
}
