import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { delay } from '@capability-router/service-kit';
import { redisRights } from '@capability-router/service-kit/redis';
import type { CachedResult } from './cached-result.js';
import { RedisResultCache } from './redis-result-cache.js';

const url = process.env['TEST_REDIS_URL'];
if (url === undefined) throw new Error('TEST_REDIS_URL is not set');
/** Without the time limit of a service's connection, which a busy machine may exceed. */
const redis = new Redis(url);
/** A user with the rights that the deployment guide gives, and no more. */
const user = { username: randomUUID(), password: randomUUID() };
const limited = redis.duplicate({ ...user, lazyConnect: true });
const TTL_MS = 60_000;
const keys = '{provider-cache:1}:*';
const resultOf = (text: string): CachedResult => ({
  outcome: {
    outcome: 'success',
    reasonCode: 'result.valid',
    transportSuccess: true,
    providerSuccess: true,
    billableSuccess: true,
    resultValid: true,
    userMessage: 'Two\nlines, 好.',
    retryable: false,
    validResultCount: 3,
  },
  serialized: Buffer.from(JSON.stringify(text)),
});
const cacheOf = (maxEntries: number, maxBytes: number): RedisResultCache =>
  new RedisResultCache(limited, { maxEntries, maxBytes, maxEntryBytes: maxBytes });

/** Values that are there, without the index. */
const names = async (): Promise<string[]> =>
  (await redis.keys(keys))
    .map((key) => key.slice(keys.length - 1))
    .filter((name) => name.startsWith('k'))
    .sort();
const index = async () => ({
  entries: await redis.zcard('{provider-cache:1}:expiry'),
  sizes: Object.values(await redis.hgetall('{provider-cache:1}:sizes')).reduce((sum, size) => sum + Number(size), 0),
  bytes: Number(await redis.get('{provider-cache:1}:bytes')),
});

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
beforeEach(async () => {
  const known = await redis.keys(keys);
  if (known.length > 0) await redis.del(known);
});

describe('the provider cache in Redis', () => {
  it('gives back what was put, whole, to another replica too', async () => {
    await cacheOf(10, 100_000).put('k1', resultOf('好\n"x"'), TTL_MS);
    expect(await cacheOf(10, 100_000).get('k1')).toEqual(resultOf('好\n"x"'));
    expect(await cacheOf(10, 100_000).get('k2')).toBeUndefined();
  });

  it('forgets what is too old, and its size with the next that is put', async () => {
    const cache = cacheOf(10, 100_000);
    await cache.put('k1', resultOf('one'), 30);
    while ((await cache.get('k1')) !== undefined) await delay(10);
    await cache.put('k2', resultOf('two'), TTL_MS);
    const { entries, sizes, bytes } = await index();
    expect({ entries, sizes }).toEqual({ entries: 1, sizes: bytes });
  });

  it('holds no more entries than it may; what expires soonest goes first', async () => {
    const cache = cacheOf(3, 100_000);
    await cache.put('k1', resultOf('1'), 2 * TTL_MS);
    for (const name of ['k2', 'k3', 'k4']) await cache.put(name, resultOf(name), TTL_MS + Number(name.slice(1)));
    expect(await names()).toEqual(['k1', 'k3', 'k4']);
    const { entries, sizes, bytes } = await index();
    expect({ entries, sizes }).toEqual({ entries: 3, sizes: bytes });
  });

  it('holds no more bytes than it may, counts what is replaced once, and keeps nothing larger than the whole', async () => {
    const cache = cacheOf(100, 10_000);
    for (let turn = 0; turn < 3; turn += 1) await cache.put('k1', resultOf('x'.repeat(3_000)), TTL_MS);
    expect((await index()).bytes).toBe((await index()).sizes);
    await cache.put('k2', resultOf('x'.repeat(3_000)), 2 * TTL_MS);
    await cache.put('k3', resultOf('x'.repeat(5_000)), 2 * TTL_MS);
    expect(await names()).toEqual(['k2', 'k3']);
    await cache.put('k4', resultOf('x'.repeat(10_000)), TTL_MS);
    expect(await names()).toEqual(['k2', 'k3']);
    const { sizes, bytes } = await index();
    expect(bytes).toBe(sizes);
    expect(bytes).toBeLessThanOrEqual(10_000);
  });

  it('finds nothing in what it cannot read', async () => {
    for (const value of ['', 'no line', '{\n1', '[]\n1']) {
      await redis.set('{provider-cache:1}:k1', value);
      expect(await cacheOf(1, 10_000).get('k1')).toBeUndefined();
    }
  });
});
