import type pg from 'pg';
import { EXPORT_PAGE_ROWS, selectList, type CsvRow } from '../csv-export/csv-export.js';
import { readInOrder } from '../queries/read-in-order.js';
import { ledgerColumns } from './ledger-csv.js';
import { ledgerWhere, type LedgerFilter } from './ledger-filter.js';
import { recordedBetween } from './recorded-between.sql.js';

/** The next rows of an export, newest first. */
export async function readLedgerCsv(
  pool: pg.Pool,
  accountId: string,
  filter: LedgerFilter,
  beforeSeq: string | undefined,
): Promise<CsvRow[]> {
  const clause = ledgerWhere(accountId, filter).and('e.entry_seq < ?::bigint', beforeSeq);
  const { sql, values } = recordedBetween(clause, 'e.entry_seq', filter.window);
  return readInOrder<CsvRow>(pool, {
    text: `SELECT ${selectList(ledgerColumns, 'e.entry_seq')} FROM ledger_entries e
            WHERE ${sql} ORDER BY e.entry_seq DESC LIMIT ${EXPORT_PAGE_ROWS}`,
    values,
    rowMode: 'array',
  });
}
