import { asNumber } from './json.js';

/** A JSON amount of credits as a whole number of micro-credits, so that sums are exact. Fails above six decimals. */
export function micro(credits: unknown, what = 'amount'): number {
  const value = asNumber(credits, what);
  const rounded = Math.round(value * 1_000_000);
  if (rounded / 1_000_000 !== value) throw new Error(`${what} has more than six decimals: ${value}`);
  return rounded;
}
