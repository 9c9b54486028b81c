import { toIso } from '@capability-router/kernel';
import type { Summary } from './buckets.js';

/** The statistics of a tool or a provider. A number that rests on too few samples is absent. */
export interface ToolStatistics {
  /** Calls in the window that tell how it works. */
  readonly sampleCount: number;
  /** 0 to 1. */
  readonly successRate?: number;
  /** Milliseconds, of successful calls. */
  readonly averageMs?: number;
  readonly p95Ms?: number;
  /**
   * `insufficient`: fewer samples than the floor. `stale`: enough, but the last one is long ago. `unavailable`: this
   * replica has not been able to read statistics for a while.
   */
  readonly status: 'available' | 'insufficient' | 'stale' | 'unavailable';
  /** `30d`. */
  readonly window: string;
  /** ISO 8601; when the last sample was taken. */
  readonly lastCheckedAt?: string;
}

export interface StatisticsPolicy {
  readonly windowDays: number;
  readonly minSamples: number;
  readonly staleAfterDays: number;
}

const DAY_MS = 86_400_000;

/** Share with four decimals, milliseconds with one: more would feign a precision that samples do not have. */
const rounded = (value: number, steps: number): number => Math.round(value * steps) / steps;

export function toStatistics(summary: Summary, policy: StatisticsPolicy, nowMs: number): ToolStatistics {
  const { successCount, failureCount, averageMs, p95Ms, lastSampleAtMs } = summary;
  const sampleCount = successCount + failureCount;
  const enough = sampleCount >= policy.minSamples;
  const stale = lastSampleAtMs === undefined || nowMs - lastSampleAtMs > policy.staleAfterDays * DAY_MS;
  const timed = successCount >= policy.minSamples;
  return {
    sampleCount,
    ...(enough ? { successRate: rounded(successCount / sampleCount, 10_000) } : {}),
    ...(timed && averageMs !== undefined ? { averageMs: rounded(averageMs, 10) } : {}),
    ...(timed && p95Ms !== undefined ? { p95Ms: rounded(p95Ms, 10) } : {}),
    status: enough ? (stale ? 'stale' : 'available') : 'insufficient',
    window: windowName(policy),
    ...(lastSampleAtMs === undefined ? {} : { lastCheckedAt: toIso(lastSampleAtMs) }),
  };
}

export const windowName = ({ windowDays }: StatisticsPolicy): string => `${windowDays}d`;
