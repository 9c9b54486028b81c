import { parseCreditRange, type CreditRange } from '../queries/credit-range.js';
import { invalidQuery, parseDateWindow, type DateWindow } from '../queries/date-window.js';
import type { LedgerQuery } from './ledger.query.js';
import type { LedgerScope } from './ledger-scopes.js';

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
export function ledgerFilterOf(query: Partial<LedgerQuery>): LedgerFilter {
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
