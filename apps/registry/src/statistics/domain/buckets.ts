import { addCounts, latencyBucket, percentileMs } from '@capability-router/kernel';
import type { CountableSample, Sample } from './sample.js';

/** Counts of one day of a tool or a provider. */
export interface Bucket {
  /** `tool:<id>` or `provider:<id>`. */
  readonly subject: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly successCount: number;
  readonly failureCount: number;
  /** Only successes count: how fast a tool fails says nothing about how fast it answers. */
  readonly durationMsSum: number;
  readonly latencyCounts: readonly number[];
  readonly lastSampleAtMs: number;
}

export const toolSubject = (toolId: string): string => `tool:${toolId}`;
export const providerSubject = (providerId: string): string => `provider:${providerId}`;

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);

interface Sum {
  successCount: number;
  failureCount: number;
  durationMsSum: number;
  latencyCounts: number[];
  lastSampleAtMs: number;
}

const emptySum = (): Sum => ({
  successCount: 0,
  failureCount: 0,
  durationMsSum: 0,
  latencyCounts: [],
  lastSampleAtMs: 0,
});

/** The samples by tool and day and by provider and day, in the order in which rows are locked: by subject and day. */
export function toBuckets(samples: readonly CountableSample[]): Bucket[] {
  const sums = new Map<string, { subject: string; day: string; sum: Sum }>();
  for (const sample of samples) {
    const day = dayOf(sample.completedAtMs);
    for (const subject of [toolSubject(sample.toolId), providerSubject(sample.providerId)]) {
      const key = `${subject} ${day}`;
      const entry = sums.get(key) ?? { subject, day, sum: emptySum() };
      sums.set(key, entry);
      addSample(entry.sum, sample);
    }
  }
  return [...sums.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { subject, day, sum }]) => ({ subject, day, ...sum, latencyCounts: filled(sum.latencyCounts) }));
}

function addSample(sum: Sum, sample: Sample): void {
  if (sample.success) {
    sum.successCount += 1;
    sum.durationMsSum += sample.durationMs;
    const bucket = latencyBucket(sample.durationMs);
    sum.latencyCounts[bucket] = (sum.latencyCounts[bucket] ?? 0) + 1;
  } else sum.failureCount += 1;
  sum.lastSampleAtMs = Math.max(sum.lastSampleAtMs, sample.completedAtMs);
}

const filled = (counts: readonly number[]): number[] => Array.from(counts, (count: number | undefined) => count ?? 0);

/** The whole window of one subject. */
export interface Summary {
  readonly successCount: number;
  readonly failureCount: number;
  /** Milliseconds, of successes; absent without one. */
  readonly averageMs?: number;
  readonly p95Ms?: number;
  readonly lastSampleAtMs?: number;
}

const P95 = 0.95;

export function summarise(buckets: readonly Bucket[]): Summary {
  const sum = emptySum();
  for (const bucket of buckets) {
    sum.successCount += bucket.successCount;
    sum.failureCount += bucket.failureCount;
    sum.durationMsSum += bucket.durationMsSum;
    addCounts(sum.latencyCounts, bucket.latencyCounts);
    sum.lastSampleAtMs = Math.max(sum.lastSampleAtMs, bucket.lastSampleAtMs);
  }
  const p95Ms = percentileMs(filled(sum.latencyCounts), P95);
  return {
    successCount: sum.successCount,
    failureCount: sum.failureCount,
    ...(sum.successCount === 0 ? {} : { averageMs: sum.durationMsSum / sum.successCount }),
    ...(p95Ms === undefined ? {} : { p95Ms }),
    ...(sum.lastSampleAtMs === 0 ? {} : { lastSampleAtMs: sum.lastSampleAtMs }),
  };
}
