import type { RedisClient } from '@capability-router/service-kit/redis';
import { decide, WINDOW_MS, type RateDecision, type RateLimiter } from './rate-limiter.js';

const KEY_PREFIX = 'gateway:rate:';

/** One round trip: counts, starts the window with the first request, and tells how long it still runs. */
const script = `
local count = redis.call('INCR', KEYS[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return { count, ttl }`;

/** Shared by all replicas. */
export class RedisRateLimiter implements RateLimiter {
  constructor(
    private readonly redis: RedisClient,
    private readonly windowMs: number = WINDOW_MS,
  ) {}

  async take(bucket: string, limit: number): Promise<RateDecision> {
    const reply: unknown = await this.redis.eval(script, 1, `${KEY_PREFIX}${bucket}`, this.windowMs);
    if (!Array.isArray(reply)) throw new Error('the rate limit script answered with something else than a list');
    return decide(Number(reply[0]), limit, Number(reply[1]));
  }
}
