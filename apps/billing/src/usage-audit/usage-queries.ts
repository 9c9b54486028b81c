import type pg from 'pg';
import { countAndList, type CountedRows } from '../queries/count-and-list.js';
import type { Page } from '../queries/paging.js';
import { usageWhere, type UsageFilter } from './usage-filter.js';
import type { UsageEventRow } from './usage-event-view.js';

const columns = `
  u.*, k.name AS api_key_name, k.masked_value AS api_key_masked_value
  FROM usage_events u LEFT JOIN api_key_labels k ON k.api_key_id = u.api_key_id`;

export type FeedRow = UsageEventRow & { readonly record_seq: string };

/** Newest first. */
export function listUsage(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  page: Page,
): Promise<CountedRows<UsageEventRow>> {
  const { sql, values } = usageWhere(accountId, filter);
  return countAndList(pool, {
    values,
    count: `SELECT count(*) AS total FROM usage_events u WHERE ${sql}`,
    list: `SELECT ${columns} WHERE ${sql} ORDER BY u.effective_at DESC, u.id DESC LIMIT ${page.rows} OFFSET ${page.offset}`,
    pageRows: page.rows,
    feed: 'GET /auth/usage/history/v2/summary',
  });
}

/** In the order of recording, last first: what is recorded meanwhile comes before the first page and shifts nothing. */
export async function readUsageFeed(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  range: { readonly beforeSeq: string | undefined; readonly rows: number },
): Promise<FeedRow[]> {
  const { sql, values } = usageWhere(accountId, filter).and('u.record_seq < ?::bigint', range.beforeSeq);
  const { rows } = await pool.query<FeedRow>(
    `SELECT ${columns} WHERE ${sql} ORDER BY u.record_seq DESC LIMIT ${range.rows}`,
    values,
  );
  return rows;
}

export async function findUsage(pool: pg.Pool, accountId: string, id: string): Promise<UsageEventRow | undefined> {
  const { rows } = await pool.query<UsageEventRow>(
    `SELECT ${columns} WHERE u.account_id = $1 AND u.recorded AND u.id = $2`,
    [accountId, id],
  );
  return rows[0];
}
