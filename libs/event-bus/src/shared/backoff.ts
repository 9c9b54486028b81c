const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;

/** Milliseconds to wait after the n-th failure in a row (from 1): doubling, capped, with half of it random. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 16));
  return ceiling / 2 + (ceiling / 2) * random();
}
