import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, ExpiringCache } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config/gateway-env.js';
import { clientBucket } from '../limits/client-bucket.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { RATE_LIMITER } from '../tokens.js';

/** Addresses remembered as over the limit. */
const MAX_BLOCKED = 20_000;

/**
 * Counts credentials that turned out to be invalid, by client address. An address over the limit may still use
 * credentials that were valid within the last hour, because others may share it (a proxy that is not trusted, a NAT);
 * no other one is looked up for it until its window ends. Text without the checksum of a key never gets here.
 */
@Injectable()
export class RejectedCredentials {
  /** Invalid credentials of one address per minute. */
  readonly limit: number;
  private readonly blockedUntilMs: ExpiringCache<string, number>;

  constructor(
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(CONFIG) { invalidKeyLimit }: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.limit = invalidKeyLimit;
    this.blockedUntilMs = new ExpiringCache(MAX_BLOCKED, clock);
  }

  /** Milliseconds until unknown credentials of the address are looked up again; 0: at once. */
  waitMs(address: string): number {
    // Nearly always nobody is blocked, and then the address need not be looked at.
    if (this.blockedUntilMs.size === 0) return 0;
    const untilMs = this.blockedUntilMs.get(clientBucket(address));
    return untilMs === undefined ? 0 : Math.max(1, untilMs - this.clock.nowMs());
  }

  async record(address: string): Promise<void> {
    const bucket = clientBucket(address);
    const { remaining, resetInMs } = await this.limiter.take(`invalid_key:${bucket}`, this.limit);
    if (remaining === 0) this.blockedUntilMs.set(bucket, this.clock.nowMs() + resetInMs, resetInMs);
  }
}
