import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { delay, openRedis } from '@capability-router/service-kit';
import { describeRateLimiter } from './rate-limiter.conformance.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const url = process.env['TEST_REDIS_URL'];
if (url === undefined) throw new Error('TEST_REDIS_URL is not set');
const redis = openRedis(url, pino({ level: 'silent' }), 'test');

/** Milliseconds; short, because Redis keeps its own time. */
const WINDOW_MS = 500;

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
