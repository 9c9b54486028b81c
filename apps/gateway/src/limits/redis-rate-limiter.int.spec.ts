import { afterAll, beforeAll } from '@jest/globals';
import { Redis } from 'ioredis';
import { delay } from '@capability-router/service-kit';
import { describeRateLimiter } from './rate-limiter.conformance.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const url = process.env['TEST_REDIS_URL'];
if (url === undefined) throw new Error('TEST_REDIS_URL is not set');
/** Without the time limit of a service's connection, which a busy machine may exceed. */
const redis = new Redis(url);

/** Milliseconds; one test waits for it, because Redis keeps its own time, and the others must end within it. */
const WINDOW_MS = 5_000;

beforeAll(async () => {
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
});
afterAll(() => {
  redis.disconnect();
});

describeRateLimiter('the rate limiter on Redis', () => ({
  limiter: new RedisRateLimiter(redis, WINDOW_MS),
  endWindow: () => delay(WINDOW_MS + 50),
}));
