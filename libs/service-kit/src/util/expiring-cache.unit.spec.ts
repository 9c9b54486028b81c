import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@capability-router/kernel';
import { ExpiringCache } from './expiring-cache.js';

const TTL_MS = 1_000;

function cacheOf(maxEntries: number): { cache: ExpiringCache<string, number>; clock: ManualClock } {
  const clock = new ManualClock(0);
  return { cache: new ExpiringCache(maxEntries, clock), clock };
}

describe('ExpiringCache', () => {
  it('keeps what was used last', () => {
    const { cache } = cacheOf(2);
    cache.set('a', 1, TTL_MS);
    cache.set('b', 2, TTL_MS);
    cache.get('a');
    cache.set('c', 3, TTL_MS);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([1, undefined, 3, 2]);
  });

  it('gives nothing that has expired', () => {
    const { cache, clock } = cacheOf(2);
    cache.set('a', 1, TTL_MS);
    clock.advanceMs(TTL_MS - 1);
    expect(cache.get('a')).toBe(1);
    clock.advanceMs(1);
    expect(cache.get('a')).toBeUndefined();
  });

  it('does not fill up with expired entries that nobody asks for again', () => {
    const { cache, clock } = cacheOf(10_000);
    for (let index = 0; index < 5_000; index += 1) {
      cache.set(`token ${index}`, index, TTL_MS);
      clock.advanceMs(100);
    }
    expect(cache.size).toBe(TTL_MS / 100);
    for (let index = 0; index < 50; index += 1) cache.set(`at once ${index}`, index, TTL_MS);
    clock.advanceMs(TTL_MS);
    for (let index = 0; index < 60; index += 1) cache.set(`later ${index}`, index, TTL_MS);
    expect(cache.size).toBe(60);
  });
});
