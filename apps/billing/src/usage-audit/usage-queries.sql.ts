import type pg from 'pg';
import { countAndList, type CountAndList, type CountedRows } from '../queries/count-and-list.sql.js';
import type { Page } from '../queries/paging.js';
import { readByRecord, type RecordRange } from './read-by-record.sql.js';
import type { UsageFilter } from './usage-filter.js';
import type { UsageEventRow } from './usage-event-view.js';
import { usageWhere } from './usage-where.sql.js';

const selected = 'u.*, k.name AS api_key_name, k.masked_value AS api_key_masked_value';
const columns = `${selected}
  FROM usage_events u LEFT JOIN api_key_labels k ON k.api_key_id = u.api_key_id`;

export type FeedRow = UsageEventRow & { readonly record_seq: string };

/** Newest first. Throws a 503 where counting, or finding the page, takes longer than `timeoutMs`. */
export function listUsage(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  page: Page,
  timeoutMs: number,
): Promise<CountedRows<UsageEventRow>> {
  const { sql, values } = usageWhere(accountId, filter);
  const statements: CountAndList = {
    values,
    count: `SELECT count(*) AS total FROM usage_events u WHERE ${sql}`,
    list: `SELECT ${columns} WHERE ${sql} ORDER BY u.effective_at DESC, u.id DESC LIMIT ${page.rows} OFFSET ${page.offset}`,
    pageRows: page.rows,
    rebuilt: 'usage_events',
    feed: 'GET /auth/usage/history/v2/summary',
  };
  return countAndList(pool, statements, timeoutMs);
}

/**
 * In the order of recording, last first: what is recorded meanwhile comes before the first page and shifts nothing, but for rows of transactions
 * that run at the same moment, which may come below.
 */
export function readUsageFeed(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  range: RecordRange,
): Promise<FeedRow[]> {
  return readByRecord<FeedRow>(pool, { accountId, filter, range, select: selected });
}

export async function findUsage(pool: pg.Pool, accountId: string, id: string): Promise<UsageEventRow | undefined> {
  const { rows } = await pool.query<UsageEventRow>(
    `SELECT ${columns} WHERE u.account_id = $1 AND u.recorded AND u.id = $2`,
    [accountId, id],
  );
  return rows[0];
}
