/**
 * Counts of latencies by size. Bounds grow by a quarter, so that histograms of any days and tools can be added up and a
 * percentile of the sum is off by less than a quarter of its value, and by far less within a filled bucket.
 */
const GROWTH = 1.25;
/** Milliseconds; the longest deadline of a tool. What is above it falls into the last bucket. */
const MAX_LATENCY_MS = 100_000;

/** Upper bounds in milliseconds, inclusive: 1, 1.25, 1.56 … and the longest deadline. */
export const latencyBoundsMs: readonly number[] = boundsMs();

function boundsMs(): number[] {
  const bounds: number[] = [];
  for (let bound = 1; bound < MAX_LATENCY_MS; bound *= GROWTH) bounds.push(bound);
  return [...bounds, MAX_LATENCY_MS];
}

/** Index of the bucket of a latency in milliseconds. */
export function latencyBucket(ms: number): number {
  const found = latencyBoundsMs.findIndex((bound) => ms <= bound);
  return found === -1 ? latencyBoundsMs.length - 1 : found;
}

/** Adds `counts` into `sum`; either may be the shorter one. */
export function addCounts(sum: number[], counts: readonly number[]): void {
  counts.forEach((count, bucket) => {
    sum[bucket] = (sum[bucket] ?? 0) + count;
  });
}

/**
 * The latency in milliseconds below which `share` (0 to 1) of the samples lie, interpolated within its bucket.
 * Undefined without samples.
 */
export function percentileMs(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = share * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const upper = latencyBoundsMs[bucket] ?? MAX_LATENCY_MS;
      const lower = bucket === 0 ? 0 : (latencyBoundsMs[bucket - 1] ?? 0);
      return lower + ((wanted - below) / count) * (upper - lower);
    }
    below += count;
  }
  return MAX_LATENCY_MS;
}
