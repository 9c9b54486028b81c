import type pg from 'pg';
import type { DateWindow } from '../queries/date-window.js';
import { readInOrder } from '../queries/read-in-order.sql.js';
import type { WhereClause } from '../queries/where.sql.js';
import type { UsageFilter } from './usage-filter.js';
import { usageWhere } from './usage-where.sql.js';

const DAY_MS = 86_400_000;
/** Milliseconds of a range whose events are rather found by their time and sorted. */
const MAX_SORTED_MS = 2 * DAY_MS;

export interface RecordRange {
  /** The place that was reached, exclusive. */
  readonly beforeSeq: string | undefined;
  readonly rows: number;
}

/**
 * Events with the labels of their keys in the order of recording, last first, at what a page costs: whatever the planner
 * knows of the tables.
 * @param select of `usage_events AS u` and `api_key_labels AS k`
 */
export async function readByRecord<Row>(
  pool: pg.Pool,
  { accountId, filter, range, select }: { accountId: string; filter: UsageFilter; range: RecordRange; select: string },
  options: { readonly rowMode?: 'array' } = {},
): Promise<Row[]> {
  const clause = usageWhere(accountId, filter).and('u.record_seq < ?::bigint', range.beforeSeq);
  if (isFew(filter)) {
    const text = page(select, `SELECT u.* FROM usage_events u WHERE ${clause.sql}`, range.rows);
    return (await pool.query({ ...options, text, values: clause.values })).rows as Row[];
  }
  const { text, values } = hasDates(filter.window)
    ? withinMonths(clause, filter.window, select, range.rows)
    : { text: page(select, `SELECT u.* FROM usage_events u WHERE ${clause.sql}`, range.rows), values: clause.values };
  return readInOrder<Row>(pool, { ...options, text, values });
}

const hasDates = ({ from, before }: DateWindow): boolean => from !== undefined || before !== undefined;

/** Found by an index of another order, and sorted. */
function isFew({ window: { from, before }, search_id, execution_id }: UsageFilter): boolean {
  const spanMs = from === undefined || before === undefined ? Infinity : before.getTime() - from.getTime();
  return search_id !== undefined || execution_id !== undefined || spanMs <= MAX_SORTED_MS;
}

const last = (rows: number): string => `ORDER BY u.record_seq DESC LIMIT ${rows}`;
const page = (select: string, source: string, rows: number): string => `
SELECT ${select} FROM (${source} ${last(rows)}) AS u
  LEFT JOIN api_key_labels k ON k.api_key_id = u.api_key_id ORDER BY u.record_seq DESC`;

/**
 * Every month of the table would be walked to its end for rows that it does not have, so only those are walked whose ids
 * are of the range. What ended in the range under an id of another time (a call that went over its bound, one that was
 * imported later) is found by its time; the two are complements, so that nothing depends on how ids and times agree.
 */
function withinMonths(
  clause: WhereClause,
  { from, before }: DateWindow,
  select: string,
  rows: number,
): { text: string; values: unknown[] } {
  const { sql, values } = clause;
  const bound = (at: Date): string => `$${values.push(firstIdOf(at))}::uuid`;
  const sides = [
    ...(from === undefined ? [] : [{ bound: bound(from), inside: '>=', outside: '<' }]),
    ...(before === undefined ? [] : [{ bound: bound(before), inside: '<', outside: '>=' }]),
  ];
  const events = `SELECT u.* FROM usage_events u WHERE ${sql}`;
  const inside = sides.map((side) => `u.id ${side.inside} ${side.bound}`).join(' AND ');
  const outside = sides.map(
    (side) => `(${events} AND u.id ${side.outside} ${side.bound} ORDER BY u.effective_at DESC, u.id DESC)`,
  );
  const both = `SELECT * FROM ((${events} AND ${inside} ${last(rows)}) UNION ALL SELECT * FROM outside) AS u`;
  return { text: `WITH outside AS MATERIALIZED (${outside.join(' UNION ALL ')}) ${page(select, both, rows)}`, values };
}

/** The least UUID of version 7, and of any other, of a time. */
function firstIdOf(at: Date): string {
  const hex = Math.max(at.getTime(), 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
