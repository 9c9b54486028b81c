import type pg from 'pg';
import { countAndList, type CountAndList, type CountedRows } from '../queries/count-and-list.sql.js';
import type { Page } from '../queries/paging.js';
import type { LedgerEntry } from './domain/entry.js';
import type { LedgerFilter } from './ledger-filter.js';
import { ledgerEntryFromRow, type LedgerEntryRow } from './ledger-row.js';
import { ledgerWhere } from './ledger-where.sql.js';

/**
 * Newest first: the order of the chain, not of the clock. Throws a 503 where counting, or finding the page, takes longer
 * than `timeoutMs`.
 */
export async function listLedger(
  pool: pg.Pool,
  accountId: string,
  filter: LedgerFilter,
  page: Page,
  timeoutMs: number,
): Promise<CountedRows<LedgerEntry>> {
  const { sql, values } = ledgerWhere(accountId, filter);
  const statements: CountAndList = {
    values,
    count: `SELECT count(*) AS total FROM ledger_entries e WHERE ${sql}`,
    list: `SELECT e.* FROM ledger_entries e WHERE ${sql} ORDER BY e.entry_seq DESC LIMIT ${page.rows} OFFSET ${page.offset}`,
    pageRows: page.rows,
    feed: 'GET /auth/account/settlement-history',
  };
  const { rows, total } = await countAndList<LedgerEntryRow>(pool, statements, timeoutMs);
  return { rows: rows.map(ledgerEntryFromRow), total };
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
