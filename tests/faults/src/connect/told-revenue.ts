import { decimal, lineNames } from '@capability-router/billing/revenue';

type Lines = Readonly<Record<string, string>>;

/** The report of `caprouter --json finance revenue`. */
export interface ToldRevenue {
  readonly credits: Readonly<Record<string, Lines>>;
  readonly money: Readonly<Record<string, Lines>>;
}

/** The columns of money in `revenue.sql`, each as the lines of the report that it is the sum of, with their signs. */
const moneyColumns: Readonly<Record<string, readonly (readonly [sign: number, line: string])[]>> = {
  money_recognised: [
    [1, 'used'],
    [-1, 'refunded'],
  ],
  money_expired: [[1, 'expired']],
  money_returned: [[1, 'returned']],
  money_deferred: [[1, 'closing']],
};
/** The report rounds each line once, to the coin of its currency. */
const HALF_COINS: Readonly<Record<string, number>> = { EUR: 0.005, JPY: 0.5 };

/** The credits of `revenue.sql` by category, as the report writes them. */
export function creditsOf(rows: readonly Lines[]): ToldRevenue['credits'] {
  const categories = [...new Set(rows.map((row) => row['category'] ?? ''))].sort();
  const sum = (category: string, line: string): bigint =>
    rows.filter((row) => row['category'] === category).reduce((total, row) => total + BigInt(row[line] ?? ''), 0n);
  return Object.fromEntries(
    categories.map((category) => [
      category,
      Object.fromEntries(lineNames.map((line) => [line, decimal(sum(category, line))])),
    ]),
  );
}

/** The amounts of money that `revenue.sql` and the report tell differently by more than the report rounds. */
export function moneyDifferences(rows: readonly Lines[], { money }: ToldRevenue): string[] {
  const inTables = rows.map((row) => row['paid_currency'] ?? '').filter((currency) => currency !== '');
  return [...new Set([...inTables, ...Object.keys(money)])].flatMap((currency) =>
    Object.entries(moneyColumns).flatMap(([column, lines]) => {
      const exact = rows
        .filter((row) => row['paid_currency'] === currency)
        .reduce((total, row) => total + Number(row[column]), 0);
      const told = lines.reduce((total, [sign, line]) => total + sign * Number(money[currency]?.[line]), 0);
      const halfCoin = HALF_COINS[currency] ?? Number.NaN;
      const isNear = Math.abs(exact - told) <= lines.length * halfCoin * 1.000_001;
      return isNear ? [] : [`${currency} ${column}: ${exact} in the tables, ${told} in the report`];
    }),
  );
}
