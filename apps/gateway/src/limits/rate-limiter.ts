/** Milliseconds of one window. */
export const WINDOW_MS = 60_000;

export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Milliseconds until the window ends; above 0. */
  readonly resetInMs: number;
}

/**
 * Counts requests in fixed windows. A bucket's window begins with its first request, so replicas need not agree on the
 * time.
 */
export interface RateLimiter {
  take(bucket: string, limit: number): RateDecision | Promise<RateDecision>;
}

export function decide(count: number, limit: number, resetInMs: number): RateDecision {
  return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), resetInMs: Math.max(1, resetInMs) };
}
