import type { ToolStatistics } from '../../statistics/domain/tool-statistics.js';

/** How a tool or a provider has worked, as callers see it. A number that rests on too few samples is absent. */
export interface Stats {
  /** Milliseconds, of successful calls. */
  readonly avg_execution_time_ms?: number;
  /** Milliseconds, of successful calls: 95 in 100 took no longer. Counted in steps, off by less than a quarter. */
  readonly p95_execution_time_ms?: number;
  /** 0 to 1. */
  readonly success_rate?: number;
  readonly sample_count: number;
  readonly data_status: 'available' | 'insufficient' | 'stale' | 'unavailable';
  /** `30d`. */
  readonly window: string;
  /** ISO 8601; when the last sample was taken. */
  readonly last_checked_at?: string;
}

export function statsOf(statistics: ToolStatistics): Stats {
  const { averageMs, p95Ms, successRate, sampleCount, status, window, lastCheckedAt } = statistics;
  return {
    ...(averageMs === undefined ? {} : { avg_execution_time_ms: averageMs }),
    ...(p95Ms === undefined ? {} : { p95_execution_time_ms: p95Ms }),
    ...(successRate === undefined ? {} : { success_rate: successRate }),
    sample_count: sampleCount,
    data_status: status,
    window,
    ...(lastCheckedAt === undefined ? {} : { last_checked_at: lastCheckedAt }),
  };
}

export type Reliability = 'A' | 'B' | 'C' | 'D' | 'unknown';

/** Least success rate of a grade; what is below all of them is D. */
const grades: readonly (readonly [Reliability, number])[] = [
  ['A', 0.99],
  ['B', 0.95],
  ['C', 0.8],
];

/** A grade is a statement about now, so only current evidence gives one. */
export function reliabilityOf({ status, successRate }: ToolStatistics): Reliability {
  if (status !== 'available' || successRate === undefined) return 'unknown';
  return grades.find(([, least]) => successRate >= least)?.[0] ?? 'D';
}
