import type { Lines, Revenue } from './revenue-book.js';
import { decimal } from './revenue-terms.js';

/** The lines of a report, in the order in which they add up. */
export const lineNames = [
  'opening',
  'granted',
  'used',
  'refunded',
  'expired',
  'returned',
  'corrected',
  'closing',
] as const;

const linesOf = (lines: Lines<bigint>): Record<string, string> =>
  Object.fromEntries(lineNames.map((name) => [name, decimal(lines[name])]));

/** A report as the commands print it, from whichever system it was reckoned. */
export const revenueJson = ({ entries, ledger, credits, money }: Revenue): object => ({
  entries,
  ledger_credits: decimal(ledger),
  credits: Object.fromEntries([...credits].map(([category, lines]) => [category, linesOf(lines)])),
  money: Object.fromEntries(
    [...money].map(([currency, lines]) => [currency, { ...linesOf(lines), rounding: decimal(lines.rounding) }]),
  ),
});
