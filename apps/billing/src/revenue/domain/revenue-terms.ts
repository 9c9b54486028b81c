import type { Period, Revenue } from './revenue-book.js';

/** Millionths: of a credit, and of a unit of a currency. */
const DECIMALS = 6;
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The month `YYYY-MM` of UTC; undefined where the text is none. */
export function monthOf(text: string): Period | undefined {
  const [, year, month] = MONTH.exec(text) ?? [];
  if (year === undefined || month === undefined) return undefined;
  const at = (index: number): number => Date.UTC(Number(year), index);
  return { fromMs: at(Number(month) - 1), beforeMs: at(Number(month)) };
}

/** As the currency's coins have it; two where the currency is not known. */
export const coinDecimals = (currency: string): number =>
  Math.min(
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2,
    DECIMALS,
  );

/** Exact: no zeros at the end. */
export function decimal(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Says what the lines leave out of the ledger; undefined where they leave out nothing. */
export function missingOf({ credits, ledger, entriesWithoutLots }: Revenue): string | undefined {
  const closing = [...credits.values()].reduce((sum, lines) => sum + lines.closing, 0n);
  if (entriesWithoutLots === 0 && closing === ledger) return undefined;
  return `${entriesWithoutLots} entries do not tell their lots, and the grants hold ${decimal(closing)} credits where the ledger has ${decimal(ledger)}`;
}
