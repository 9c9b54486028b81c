import { latencyBucket, percentileMs } from '@capability-router/kernel';
import type { AttemptSample } from './attempt-samples.js';
import { afterCall, closedBreaker, type Breaker, type EndedCall } from './breaker.js';

/** The evidence of the calls of one tool, or of all tools of one provider. Counts fade, so that they are no whole numbers. */
export interface Evidence extends Counted {
  /** Keys of the last calls that were counted, the newest last. */
  readonly recent: readonly string[];
}

/** The part of the evidence that decisions rest on. */
export interface Counted {
  readonly successes: number;
  readonly failures: number;
  /** Successful calls by `latencyBucket`, faded as they are. */
  readonly latencies: readonly number[];
  /** Milliseconds since the epoch up to which the counts are faded. */
  readonly asOfMs: number;
  readonly breaker: Breaker;
}

export const noEvidence: Evidence = {
  successes: 0,
  failures: 0,
  latencies: [],
  asOfMs: 0,
  breaker: closedBreaker,
  recent: [],
};

/** Milliseconds after which a call counts half. */
export const HALF_LIFE_MS = 3_600_000;
/** Calls that are known again when their event comes twice, which it does shortly after the first time. */
const MAX_RECENT = 100;
/** Successful calls below which their p95 says too little. */
export const MIN_TIMED_CALLS = 20;
const P95 = 0.95;

const weightAfter = (ms: number): number => 2 ** (-Math.max(0, ms) / HALF_LIFE_MS);

/** The evidence with one more call. A call that is counted already changes nothing. */
export function withSample(evidence: Evidence, { key, accountId, success, durationMs, atMs }: AttemptSample): Evidence {
  if (evidence.recent.includes(key)) return evidence;
  const asOfMs = Math.max(evidence.asOfMs, atMs);
  const fade = weightAfter(asOfMs - evidence.asOfMs);
  const weight = weightAfter(asOfMs - atMs);
  const latencies = evidence.latencies.map((count) => count * fade);
  if (success) {
    const bucket = latencyBucket(durationMs);
    while (latencies.length <= bucket) latencies.push(0);
    latencies[bucket] = (latencies[bucket] ?? 0) + weight;
  }
  const breaker = breakerAfter(evidence, { success, startedMs: atMs - durationMs, endedMs: atMs, accountId });
  // A subject that has been taken back begins anew: its failures are of a time that is over.
  const isBack = evidence.breaker.open !== undefined && breaker.open === undefined;
  return {
    successes: evidence.successes * fade + (success ? weight : 0),
    failures: isBack ? 0 : evidence.failures * fade + (success ? 0 : weight),
    latencies,
    asOfMs,
    breaker,
    recent: [...evidence.recent.slice(1 - MAX_RECENT), key],
  };
}

/** A failure that is told after the success that followed it, as that of a query which went on for long, is of a time that is over. */
function breakerAfter({ breaker, asOfMs }: Counted, call: EndedCall): Breaker {
  const isOver = !call.success && breaker.failuresInRow === 0 && call.endedMs < asOfMs;
  return isOver ? breaker : afterCall(breaker, call);
}

/** Gives the part of the evidence that a decision rests on. */
export interface FadedEvidence {
  /** Whole calls. */
  readonly successes: number;
  readonly failures: number;
  /** Milliseconds. Undefined where too few successful calls are known. */
  readonly p95Ms: number | undefined;
}

/** The counts as they are at `nowMs`. */
export function fadedAt({ successes, failures, latencies, asOfMs }: Counted, nowMs: number): FadedEvidence {
  const fade = weightAfter(nowMs - asOfMs);
  const left = Math.round(successes * fade);
  return {
    successes: left,
    failures: Math.round(failures * fade),
    p95Ms: left < MIN_TIMED_CALLS ? undefined : percentileMs(latencies, P95),
  };
}
