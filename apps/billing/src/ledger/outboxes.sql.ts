import { horizonSql, type Position, type Queryable } from '@capability-router/event-store';
import type { LedgerEntryRow } from './ledger-row.js';
import { lotsOfEntrySql, type WithLots } from './lots-of-entry.sql.js';

/** The place in commit order that a position names. */
const placeOf = (after: Position): readonly [txOrder: string, position: string] => {
  const [txOrder = '0', position = '0'] = after === '' ? [] : after.split(':');
  return [txOrder, position];
};

/**
 * Rows of finished transactions only, in commit order. The boundary is the snapshot's xmin, as in the event table:
 * `id > last` would lose rows that commit out of order.
 */
const readLedgerSql = `
SELECT e.*, ${lotsOfEntrySql} AS lots FROM ledger_entries e
 WHERE (tx_order, position) > ($1::bigint, $2::bigint) AND tx_order < ${horizonSql}
 ORDER BY tx_order, position LIMIT $3`;

/** An entry and its place in commit order. */
export type PlacedEntryRow = LedgerEntryRow & WithLots & { readonly tx_order: string; readonly position: string };

export async function readLedger(db: Queryable, after: Position, limit: number): Promise<PlacedEntryRow[]> {
  return (await db.query<PlacedEntryRow>(readLedgerSql, [...placeOf(after), limit])).rows;
}

/** In commit order, as `readLedgerSql`. */
const readBalancesSql = `
SELECT account_id, entry_seq, entry_id, balance_after_micro, created_at, tx_order, position FROM ledger_entries
 WHERE (tx_order, position) > ($1::bigint, $2::bigint) AND tx_order < ${horizonSql}
 ORDER BY tx_order, position LIMIT $3`;

/** The row from which the topic of balances tells of an entry. */
export interface BalanceRow {
  readonly account_id: string;
  readonly entry_seq: string;
  readonly entry_id: string;
  readonly balance_after_micro: string;
  readonly created_at: Date;
  readonly tx_order: string;
  readonly position: string;
}

export async function readBalances(db: Queryable, after: Position, limit: number): Promise<BalanceRow[]> {
  const values = [...placeOf(after), limit];
  return (await db.query<BalanceRow>({ name: 'read-balances', text: readBalancesSql, values })).rows;
}
