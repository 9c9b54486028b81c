import type pg from 'pg';
import type { LedgerEntry } from '../ledger/domain/entry.js';
import { entryTypesOf, type LedgerScope } from '../ledger/ledger-scopes.js';
import { recordedBetween } from '../ledger/recorded-between.sql.js';
import { ledgerEntryFromRow, type LedgerEntryRow } from '../ledger/ledger-row.js';
import type { DateWindow } from '../queries/date-window.js';
import { readInOrder } from '../queries/read-in-order.sql.js';
import { WhereClause } from '../queries/where.sql.js';

export interface SettlementRange {
  /** Bounds the time at which entries took effect. */
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
  const clause = new WhereClause('account_id', accountId)
    .and('effective_at >= ?', window.from)
    .and('effective_at < ?', window.before)
    .and('entry_type = ANY(?)', entryTypesOf(scope))
    .and('entry_seq < ?::bigint', beforeSeq);
  // Entries that took effect in the range may have been recorded long after it, but hardly before.
  const { sql, values } = recordedBetween(clause, 'entry_seq', window.from === undefined ? {} : { from: window.from });
  const rows = await readInOrder<LedgerEntryRow>(pool, {
    text: `SELECT * FROM ledger_entries WHERE ${sql} ORDER BY entry_seq DESC LIMIT ${limit}`,
    values,
  });
  return rows.map(ledgerEntryFromRow);
}
