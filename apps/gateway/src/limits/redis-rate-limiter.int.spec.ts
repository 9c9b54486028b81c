import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '@capability-router/kernel';
import { createLogger, delay } from '@capability-router/service-kit';
import { loadEnv, redisConnectionOf, redisEnvSpec } from '@capability-router/service-kit/config';
import { openRedis, redisRights } from '@capability-router/service-kit/redis';
import { SilentProxy } from '@capability-router/service-kit/testing';
import { FallbackRateLimiter } from './fallback-rate-limiter.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import { describeRateLimiter } from './rate-limiter.conformance.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const url = process.env['TEST_REDIS_URL'];
if (url === undefined) throw new Error('TEST_REDIS_URL is not set');
/** Without the time limit of a service's connection, which a busy machine may exceed. */
const redis = new Redis(url);
/** A user with the rights that the deployment guide gives, and no more. */
const user = { username: randomUUID(), password: randomUUID() };
const limited = redis.duplicate({ ...user, lazyConnect: true });

/** Milliseconds; one test waits for it, because Redis keeps its own time, and the others must end within it. */
const WINDOW_MS = 5_000;

beforeAll(async () => {
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  await redis.acl('SETUSER', user.username, 'on', `>${user.password}`, ...redisRights);
  await limited.connect();
});
afterAll(async () => {
  limited.disconnect();
  await redis.acl('DELUSER', user.username);
  redis.disconnect();
});

describeRateLimiter('the rate limiter on Redis', () => ({
  limiter: new RedisRateLimiter(limited, WINDOW_MS),
  endWindow: () => delay(WINDOW_MS + 50),
}));

describe('a replica whose Redis falls silent', () => {
  it('counts for itself meanwhile, and with the others again once a new connection can be had', async () => {
    const proxy = await SilentProxy.before(url);
    const connection = redisConnectionOf(loadEnv(redisEnvSpec, { REDIS_URL: proxy.urlOf(url) }));
    if (connection === undefined) throw new Error('no Redis is named');
    const own = await openRedis(connection, createLogger('gateway', 'silent'), 'gateway');
    const replica = new FallbackRateLimiter(new RedisRateLimiter(own), new MemoryRateLimiter(systemClock), () =>
      systemClock.nowMs(),
    );
    const others = new RedisRateLimiter(redis);
    const untilShared = async (): Promise<void> => {
      for (;;) {
        const bucket = randomUUID();
        await others.take(bucket, 10);
        if ((await replica.take(bucket, 10)).remaining === 8) return;
        await delay(50);
      }
    };
    try {
      await untilShared();
      proxy.fallSilent();
      const bucket = randomUUID();
      const decisions = await Promise.all(Array.from({ length: 20 }, () => replica.take(bucket, 5)));
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5);
      // Nobody has waited until the connection counted as dead.
      expect(own.status).toBe('ready');
      proxy.speakAgain();
      await untilShared();
    } finally {
      own.disconnect();
      await proxy.close();
    }
  }, 60_000);
});
