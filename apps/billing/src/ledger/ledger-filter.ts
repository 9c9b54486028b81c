import { parseCreditRange, type CreditRange } from '../queries/credit-range.js';
import { invalidQuery, parseDateWindow, type DateWindow } from '../queries/date-window.js';
import { WhereClause } from '../queries/where.js';
import type { LedgerQuery } from './ledger.query.js';
import { entryTypesOf, type LedgerScope } from './ledger-scopes.js';

export interface LedgerFilter {
  /** Bounds the time of record. */
  readonly window: DateWindow;
  /** Bounds the absolute amount. */
  readonly credits?: CreditRange;
  readonly entryType?: string;
  readonly scope?: LedgerScope;
  readonly sign?: '<' | '>';
}

const signs = { consume: '<', grant: '>', any: undefined } as const;
const isDirection = (text: string): text is keyof typeof signs => Object.hasOwn(signs, text);

/** A query that was found valid, as a filter. Throws a 400 for dates, amounts and the direction. */
export function ledgerFilterOf(query: LedgerQuery): LedgerFilter {
  const { direction = 'any', scope, entry_type: entryType } = query;
  if (!isDirection(direction)) throw invalidQuery('Invalid direction. Use consume, grant, or any.');
  const sign = signs[direction];
  return {
    window: parseDateWindow(query.start_date, query.end_date),
    credits: parseCreditRange(query),
    ...(entryType === undefined ? {} : { entryType }),
    ...(scope === undefined ? {} : { scope }),
    ...(sign === undefined ? {} : { sign }),
  };
}

/** Conditions on `ledger_entries AS e`. */
export function ledgerWhere(accountId: string, filter: LedgerFilter): WhereClause {
  const clause = new WhereClause('e.account_id', accountId)
    .and('e.created_at >= ?', filter.window.from)
    .and('e.created_at < ?', filter.window.before)
    .and('e.entry_type = ?', filter.entryType)
    .and('e.entry_type = ANY(?)', entryTypesOf(filter.scope))
    .and('abs(e.amount_micro) >= ?::bigint', filter.credits?.min)
    .and('abs(e.amount_micro) <= ?::bigint', filter.credits?.max);
  return filter.sign === undefined ? clause : clause.require(`e.amount_micro ${filter.sign} 0`);
}
