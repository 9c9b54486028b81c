import type pg from 'pg';
import type { CreditRange } from '../queries/credit-range.js';
import { WhereClause } from '../queries/where.js';
import type { Page } from '../queries/paging.js';
import type { DateWindow } from '../queries/date-window.js';
import type { UsageEventRow } from './usage-event-view.js';

const columns = `
  u.*, k.name AS api_key_name, k.masked_value AS api_key_masked_value
  FROM usage_events u LEFT JOIN api_key_labels k ON k.api_key_id = u.api_key_id`;

export interface UsageFilter {
  readonly window: DateWindow;
  /** Of the effective amount: settled less refunds, else requested. */
  readonly credits?: CreditRange;
  readonly event_type?: string;
  readonly kind?: 'discover' | 'call' | 'model';
  readonly success?: boolean;
  readonly billable_success?: boolean;
  readonly outcome?: string;
  readonly reason_code?: string;
  readonly has_execution_outcome?: boolean;
  readonly charge_outcome?: string;
  readonly search_id?: string;
  readonly execution_id?: string;
  readonly api_key_id?: string;
  readonly credential_type?: string;
}

const eventTypesOfKind = {
  discover: ['search', 'search_by_ids'],
  call: ['tool_execute', 'capabilities_query'],
  model: ['model_call'],
} as const;

function where(accountId: string, filter: UsageFilter): WhereClause {
  return new WhereClause('u.account_id', accountId, 'u.recorded')
    .and('u.effective_at >= ?', filter.window.from)
    .and('u.effective_at < ?', filter.window.before)
    .and('u.event_type = ?', filter.event_type)
    .and('u.event_type = ANY(?)', filter.kind === undefined ? undefined : eventTypesOfKind[filter.kind])
    .and('u.success = ?', filter.success)
    .and('u.billable_success = ?', filter.billable_success)
    .and('u.outcome = ?', filter.outcome)
    .and('u.reason_code = ?', filter.reason_code)
    .and('(u.outcome IS NOT NULL) = ?', filter.has_execution_outcome)
    .and('u.charge_outcome = ?', filter.charge_outcome)
    .and('u.search_id = ?', filter.search_id)
    .and('u.execution_id = ?', filter.execution_id)
    .and('u.api_key_id = ?', filter.api_key_id)
    .and('u.credential_type = ?', filter.credential_type)
    .and('u.effective_micro >= ?::bigint', filter.credits?.min)
    .and('u.effective_micro <= ?::bigint', filter.credits?.max);
}

/** Newest first. */
export async function listUsage(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  page: Page,
): Promise<{ rows: UsageEventRow[]; total: number }> {
  const clause = where(accountId, filter);
  const [counted, listed] = await Promise.all([
    pool.query<{ total: string }>(`SELECT count(*) AS total FROM usage_events u WHERE ${clause.sql}`, clause.values),
    pool.query<UsageEventRow>(
      `SELECT ${columns} WHERE ${clause.sql} ORDER BY u.effective_at DESC, u.id DESC LIMIT ${page.rows} OFFSET ${page.offset}`,
      clause.values,
    ),
  ]);
  return { rows: listed.rows, total: Number(counted.rows[0]?.total ?? 0) };
}

export async function findUsage(pool: pg.Pool, accountId: string, id: string): Promise<UsageEventRow | undefined> {
  const { rows } = await pool.query<UsageEventRow>(
    `SELECT ${columns} WHERE u.account_id = $1 AND u.recorded AND u.id = $2`,
    [accountId, id],
  );
  return rows[0];
}
