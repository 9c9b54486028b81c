import type pg from 'pg';
import type { LedgerEntry } from '../ledger/entry.js';
import { entryTypesOf, type LedgerScope } from '../ledger/ledger-scopes.js';
import { ledgerEntryFromRow, type LedgerEntryRow } from '../ledger/ledger-row.js';
import type { DateWindow } from '../queries/date-window.js';
import { WhereClause } from '../queries/where.js';

export interface SettlementRange {
  /** Of the time at which entries took effect. */
  readonly window: DateWindow;
  readonly scope: LedgerScope;
  readonly beforeSeq: string | undefined;
  readonly rows: number;
}

/** Newest first. What is booked meanwhile comes before the first page and shifts nothing. */
export async function readSettlementHistory(
  pool: pg.Pool,
  accountId: string,
  { window, scope, beforeSeq, rows: limit }: SettlementRange,
): Promise<LedgerEntry[]> {
  const { sql, values } = new WhereClause('account_id', accountId)
    .and('effective_at >= ?', window.from)
    .and('effective_at < ?', window.before)
    .and('entry_type = ANY(?)', entryTypesOf(scope))
    .and('entry_seq < ?::bigint', beforeSeq);
  const { rows } = await pool.query<LedgerEntryRow>(
    `SELECT * FROM ledger_entries WHERE ${sql} ORDER BY entry_seq DESC LIMIT ${limit}`,
    values,
  );
  return rows.map(ledgerEntryFromRow);
}
