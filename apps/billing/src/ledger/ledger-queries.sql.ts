import type pg from 'pg';
import { countAndList, type CountAndList, type CountedRows } from '../queries/count-and-list.sql.js';
import type { Page } from '../queries/paging.js';
import type { LedgerFilter } from './ledger-filter.js';
import { bookedEntryFromRow, type BookedEntry, type BookedEntryRow } from './ledger-row.js';
import { ledgerWhere } from './ledger-where.sql.js';
import { lotsOfEntrySql } from './lots-of-entry.sql.js';

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
): Promise<CountedRows<BookedEntry>> {
  const { sql, values } = ledgerWhere(accountId, filter);
  const statements: CountAndList = {
    values,
    count: `SELECT count(*) AS total FROM ledger_entries e WHERE ${sql}`,
    // The lots are looked up for the rows of the page alone, and not for those that it passes over.
    list: `SELECT e.*, ${lotsOfEntrySql} AS lots FROM (
             SELECT e.* FROM ledger_entries e WHERE ${sql} ORDER BY e.entry_seq DESC LIMIT ${page.rows} OFFSET ${page.offset}) AS e
            ORDER BY e.entry_seq DESC`,
    pageRows: page.rows,
    feed: 'GET /auth/account/settlement-history',
  };
  const { rows, total } = await countAndList<BookedEntryRow>(pool, statements, timeoutMs);
  return { rows: rows.map(bookedEntryFromRow), total };
}

export async function findLedgerEntry(
  pool: pg.Pool,
  accountId: string,
  entryId: string,
): Promise<BookedEntry | undefined> {
  const { rows } = await pool.query<BookedEntryRow>(
    `SELECT e.*, ${lotsOfEntrySql} AS lots FROM ledger_entries e WHERE e.account_id = $1 AND e.entry_id = $2`,
    [accountId, entryId],
  );
  return rows[0] === undefined ? undefined : bookedEntryFromRow(rows[0]);
}
