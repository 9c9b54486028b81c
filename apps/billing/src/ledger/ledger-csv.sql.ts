import type pg from 'pg';
import { credits, exact, selectList, text, timestamp, type CsvColumn } from '../csv-export/csv-columns.sql.js';
import { EXPORT_PAGE_ROWS, type CsvRow } from '../csv-export/csv-export.js';
import { readInOrder } from '../queries/read-in-order.sql.js';
import type { LedgerFilter } from './ledger-filter.js';
import type { LedgerScope } from './ledger-scopes.js';
import { ledgerWhere } from './ledger-where.sql.js';
import { lotsOfEntrySql, type WithLots } from './lots-of-entry.sql.js';
import { paidAmountKey, paidCurrencyKey } from './domain/money-paid.js';
import { projectIdKey } from './domain/project-of.js';
import { recordedBetween } from './recorded-between.sql.js';

/**
 * Columns of `ledger_entries AS e`. Every row names the scope of its file: what another scope would show has numbers that
 * are missing here.
 */
export const ledgerCsvColumns = (scope: LedgerScope): readonly CsvColumn[] => [
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
  exact('entry_seq', 'e.entry_seq'),
  exact('scope', `'${scope}'`),
  // Filled in by `withLots`.
  text('lots', 'NULL'),
  exact('paid_amount', `e.metadata->>'${paidAmountKey}'`),
  exact('paid_currency', `e.metadata->>'${paidCurrencyKey}'`),
  exact('project_id', `e.metadata->>'${projectIdKey}'`),
];

/** The next rows of an export, newest first. */
export async function readLedgerCsv(
  pool: pg.Pool,
  accountId: string,
  filter: LedgerFilter & { readonly scope: LedgerScope },
  beforeSeq: string | undefined,
): Promise<CsvRow[]> {
  const clause = ledgerWhere(accountId, filter).and('e.entry_seq < ?::bigint', beforeSeq);
  const { sql, values } = recordedBetween(clause, 'e.entry_seq', filter.window);
  const page = await readInOrder<CsvRow>(pool, {
    text: `SELECT ${selectList(ledgerCsvColumns(filter.scope), 'e.entry_seq')} FROM ledger_entries e
            WHERE ${sql} ORDER BY e.entry_seq DESC LIMIT ${EXPORT_PAGE_ROWS}`,
    values,
    rowMode: 'array',
  });
  return withLots(pool, accountId, page);
}

/** From the end of a row: the lots, the cell of what was paid and for which project, and the place, which is `entry_seq`. */
const LOTS_FROM_END = 3;

/** Reads the lots of a page apart from it, because to tell them they are sorted, which a page in order rules out. */
async function withLots(pool: pg.Pool, accountId: string, page: readonly CsvRow[]): Promise<CsvRow[]> {
  const { rows } = await pool.query<{ seq: string } & WithLots>(
    `SELECT e.entry_seq AS seq, ${lotsOfEntrySql} AS lots FROM ledger_entries e
      WHERE e.account_id = $1 AND e.entry_seq = ANY($2::bigint[])`,
    [accountId, page.map((row) => row.at(-1))],
  );
  const lots = new Map(rows.map((row) => [row.seq, row.lots]));
  return page.map((row) => row.with(-LOTS_FROM_END, lots.get(row.at(-1) ?? '') ?? null));
}
