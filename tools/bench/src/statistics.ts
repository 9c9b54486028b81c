/** Middle value; the mean of the two in the middle for an even number. @throws RangeError for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('a median needs a value');
  return (upper + lower) / 2;
}

/** Nearest rank. `sorted` is ascending; `share` from 0 to 1. NaN for none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const medianOf = <T>(items: readonly T[], read: (item: T) => number): number => median(items.map(read));
