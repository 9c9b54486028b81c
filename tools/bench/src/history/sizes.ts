/** Rows of the design's large history, and of the one that it is compared with. */
export const FULL_ROWS = 10_000_000;
export const SMALL_ROWS = 10_000;
/** Events of the rebuild. */
export const REBUILT_EVENTS = 1_000_000;

/** Accounts whose reads are measured, by their rows. */
const MEASURED = [10_000, 100_000, 1_000_000];
/** Accounts that share the other rows. */
export const OTHER_ACCOUNTS = 2_000;
/** Days before now over which a history spreads. */
export const HISTORY_DAYS = 90;

/** The accounts to measure in a history of so many rows: with all smaller ones they take no more than half. */
export function measuredAccounts(rows: number): number[] {
  const fitting = MEASURED.filter((size, index) => {
    const smaller = MEASURED.slice(0, index).reduce((sum, other) => sum + other, 0);
    return size + smaller <= rows / 2;
  });
  return fitting.length > 0 ? fitting : [Math.floor(rows / 2)];
}
