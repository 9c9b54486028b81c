import type { RateDecision, RateLimiter } from './rate-limiter.js';

/** Milliseconds for which a failed limiter is left alone, so that an outage does not slow every request down. */
const REST_MS = 1_000;

/** While the shared limiter fails, each replica counts for itself: an outage of Redis neither stops nor frees callers. */
export class FallbackRateLimiter implements RateLimiter {
  private restUntilMs = 0;

  constructor(
    private readonly shared: RateLimiter,
    private readonly local: RateLimiter,
    private readonly nowMs: () => number,
  ) {}

  async take(bucket: string, limit: number): Promise<RateDecision> {
    if (this.nowMs() >= this.restUntilMs) {
      try {
        return await this.shared.take(bucket, limit);
      } catch {
        // The connection reports its own outage.
        this.restUntilMs = this.nowMs() + REST_MS;
      }
    }
    return this.local.take(bucket, limit);
  }
}
