import type { Clock } from '@capability-router/kernel';
import { decide, WINDOW_MS, type RateDecision, type RateLimiter } from './rate-limiter.js';

/** Buckets counted apart. Beyond it newcomers share one until windows end: too many callers never means no limit. */
const MAX_BUCKETS = 200_000;
const OVERFLOW_BUCKET = 'overflow';

interface Window {
  count: number;
  readonly endsAtMs: number;
}

/** For one process. */
export class MemoryRateLimiter implements RateLimiter {
  // Every window is equally long, so insertion order is also the order in which windows end.
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly clock: Clock,
    private readonly windowMs: number = WINDOW_MS,
    private readonly maxBuckets: number = MAX_BUCKETS,
  ) {}

  take(bucket: string, limit: number): RateDecision {
    const nowMs = this.clock.nowMs();
    this.dropEnded(nowMs);
    const full = this.windows.size >= this.maxBuckets && !this.windows.has(bucket);
    const name = full ? OVERFLOW_BUCKET : bucket;
    let window = this.windows.get(name);
    if (window === undefined) {
      window = { count: 0, endsAtMs: nowMs + this.windowMs };
      this.windows.set(name, window);
    }
    window.count += 1;
    return decide(window.count, limit, window.endsAtMs - nowMs);
  }

  private dropEnded(nowMs: number): void {
    for (const [bucket, window] of this.windows) {
      if (window.endsAtMs > nowMs) return;
      this.windows.delete(bucket);
    }
  }
}
