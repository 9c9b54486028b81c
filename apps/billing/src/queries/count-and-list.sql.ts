import { AppError } from '@capability-router/kernel';
import { inTransaction, isStatementTimeout } from '@capability-router/service-kit';
import type pg from 'pg';

/** Milliseconds more for each row of the page, so that a page of 50,000 rows may be sent. */
const TIMEOUT_PER_ROW_MS = 0.1;
/** Seconds. */
const RETRY_AFTER_SECONDS = 5;

export interface CountedRows<Row> {
  readonly rows: Row[];
  /** Exact. */
  readonly total: number;
}

export interface CountAndList {
  readonly values: readonly unknown[];
  /** One row with `total`. */
  readonly count: string;
  readonly list: string;
  /** Rows of the page. */
  readonly pageRows: number;
  /**
   * The table, where a rebuild may put another in its place. It is locked before the snapshot is taken: an older snapshot
   * would miss rows of the other one.
   */
  readonly rebuilt?: 'usage_events';
  /** The feed that reads the same by cursor, whatever the size of the history: `GET /…`. */
  readonly feed: string;
}

/**
 * Asks the database for a list with `page` and `total`, both in one snapshot. Throws a 503 that names the cursor
 * feed where it would take too long: a total is exact or it is not said.
 * @param timeoutMs that counting, or finding a page, may take: both grow with the history, which a cursor feed does not
 */
export async function countAndList<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { values, count, list, pageRows, rebuilt, feed }: CountAndList,
  timeoutMs: number,
): Promise<CountedRows<Row>> {
  const listTimeoutMs = Math.ceil(timeoutMs + pageRows * TIMEOUT_PER_ROW_MS);
  // The partitions follow their parent, which is what a rebuild locks.
  const lock = rebuilt === undefined ? '' : `; LOCK TABLE ONLY ${rebuilt} IN ACCESS SHARE MODE`;
  const read = async (tx: pg.PoolClient): Promise<CountedRows<Row>> => {
    // Neither statement takes the snapshot; the count does.
    await tx.query(`SET LOCAL statement_timeout = ${timeoutMs}${lock}`);
    const counted = await tx.query<{ total: string }>(count, [...values]);
    await tx.query(`SET LOCAL statement_timeout = ${listTimeoutMs}`);
    const listed = await tx.query<Row>(list, [...values]);
    return { rows: listed.rows, total: Number(counted.rows[0]?.total ?? 0) };
  };
  try {
    return await inTransaction(pool, read, { isolation: 'snapshot', readOnly: true });
  } catch (error) {
    throw isStatementTimeout(error) ? tooLong(feed) : error;
  }
}

const tooLong = (feed: string): AppError =>
  new AppError(
    'service_unavailable',
    `This history is too long to be counted and paged in time. Read it by cursor (${feed}), narrow the dates, or retry later.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
