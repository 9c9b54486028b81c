import type pg from 'pg';
import { credits, exact, selectList, text, timestamp } from '../csv-export/csv-columns.sql.js';
import { EXPORT_PAGE_ROWS, type CsvRow } from '../csv-export/csv-export.js';
import { readInOrder } from '../queries/read-in-order.sql.js';
import type { LedgerFilter } from './ledger-filter.js';
import { ledgerWhere } from './ledger-where.sql.js';
import { recordedBetween } from './recorded-between.sql.js';

/** Columns of `ledger_entries AS e`. */
export const ledgerCsvColumns = [
  exact('id', 'e.entry_id'),
  exact('entry_type', 'e.entry_type'),
  credits('amount_credits', 'e.amount_micro'),
  credits('balance_before', 'e.balance_before_micro'),
  credits('balance_after', 'e.balance_after_micro'),
  exact('source_system', 'e.source_system'),
  exact('source_ref_type', 'e.source_ref_type'),
  text('source_ref_id', 'e.source_ref_id'),
  exact('execution_id', 'e.execution_id'),
  text('description', 'e.description'),
  timestamp('created_at', 'e.created_at'),
];

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
    text: `SELECT ${selectList(ledgerCsvColumns, 'e.entry_seq')} FROM ledger_entries e
            WHERE ${sql} ORDER BY e.entry_seq DESC LIMIT ${EXPORT_PAGE_ROWS}`,
    values,
    rowMode: 'array',
  });
}
