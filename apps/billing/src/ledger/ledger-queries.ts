import type pg from 'pg';
import { parseCreditRange } from '../queries/credit-range.js';
import { invalidQuery, parseDateWindow } from '../queries/date-window.js';
import type { Page } from '../queries/paging.js';
import { WhereClause } from '../queries/where.js';
import type { LedgerEntry } from './entry.js';
import type { LedgerQuery } from './ledger.query.js';
import { ledgerEntryFromRow, type LedgerEntryRow } from './ledger-row.js';

/** The specification's four types; `all` is ours. */
const accountHistory = ['grant_payment_recharge', 'consume_tool_search', 'consume_tool_execute', 'consume_model_call'];

function where(accountId: string, query: LedgerQuery): WhereClause {
  const { direction } = query;
  if (direction !== undefined && !['consume', 'grant', 'any'].includes(direction)) {
    throw invalidQuery('Invalid direction. Use consume, grant, or any.');
  }
  const credits = parseCreditRange(query);
  const window = parseDateWindow(query.start_date, query.end_date);
  const fixed = direction === 'consume' ? ['amount_micro < 0'] : direction === 'grant' ? ['amount_micro > 0'] : [];
  return new WhereClause('account_id', accountId, ...fixed)
    .and('created_at >= ?', window.from)
    .and('created_at < ?', window.before)
    .and('entry_type = ?', query.entry_type)
    .and('entry_type = ANY(?)', query.scope === 'account_history' ? accountHistory : undefined)
    .and('abs(amount_micro) >= ?::bigint', credits.min)
    .and('abs(amount_micro) <= ?::bigint', credits.max);
}

/** Newest first: the order of the chain, not of the clock. */
export async function listLedger(
  pool: pg.Pool,
  accountId: string,
  query: LedgerQuery,
  page: Page,
): Promise<{ entries: LedgerEntry[]; total: number }> {
  const clause = where(accountId, query);
  const [counted, listed] = await Promise.all([
    pool.query<{ total: string }>(`SELECT count(*) AS total FROM ledger_entries WHERE ${clause.sql}`, clause.values),
    pool.query<LedgerEntryRow>(
      `SELECT * FROM ledger_entries WHERE ${clause.sql} ORDER BY entry_seq DESC LIMIT ${page.rows} OFFSET ${page.offset}`,
      clause.values,
    ),
  ]);
  return { entries: listed.rows.map(ledgerEntryFromRow), total: Number(counted.rows[0]?.total ?? 0) };
}

export async function findLedgerEntry(
  pool: pg.Pool,
  accountId: string,
  entryId: string,
): Promise<LedgerEntry | undefined> {
  const { rows } = await pool.query<LedgerEntryRow>(
    'SELECT * FROM ledger_entries WHERE account_id = $1 AND entry_id = $2',
    [accountId, entryId],
  );
  return rows[0] === undefined ? undefined : ledgerEntryFromRow(rows[0]);
}
