import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER } from '@capability-router/service-kit';
import { Module } from '@nestjs/common';
import { RATE_LIMITER } from '../tokens.js';
import { FallbackRateLimiter } from './fallback-rate-limiter.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import type { RateLimiter } from './rate-limiter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';
import { SharedLimits } from './shared-limits.js';

/** How many requests an account, or an address, has left. */
@Module({
  providers: [
    { provide: SharedLimits, inject: [CONFIG, LOGGER], useFactory: SharedLimits.open },
    {
      provide: RATE_LIMITER,
      inject: [SharedLimits, CLOCK],
      useFactory: ({ redis }: SharedLimits, clock: Clock): RateLimiter => {
        const local = new MemoryRateLimiter(clock);
        if (redis === undefined) return local;
        return new FallbackRateLimiter(new RedisRateLimiter(redis), local, () => clock.nowMs());
      },
    },
  ],
  exports: [RATE_LIMITER],
})
export class LimitsModule {}
