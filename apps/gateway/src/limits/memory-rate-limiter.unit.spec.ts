import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@capability-router/kernel';
import { FallbackRateLimiter } from './fallback-rate-limiter.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import { describeRateLimiter } from './rate-limiter.conformance.js';
import { WINDOW_MS } from './rate-limiter.js';

describeRateLimiter('the rate limiter in memory', () => {
  const clock = new ManualClock(1_000);
  return {
    limiter: new MemoryRateLimiter(clock),
    endWindow: async () => clock.advanceMs(WINDOW_MS),
  };
});

describe('the rate limiter in memory, when it is full', () => {
  it('counts newcomers together instead of not at all, until windows end', () => {
    const clock = new ManualClock(1_000);
    const limiter = new MemoryRateLimiter(clock, WINDOW_MS, 2);
    limiter.take('a', 1);
    limiter.take('b', 1);
    expect(limiter.take('c', 1).allowed).toBe(true);
    expect(limiter.take('d', 1).allowed).toBe(false);
    expect(limiter.take('a', 2).allowed).toBe(true);
    clock.advanceMs(WINDOW_MS);
    expect(limiter.take('d', 1).allowed).toBe(true);
  });
});

describe('limits during an outage of the shared limiter', () => {
  it('still hold in each process, and are shared again afterwards', async () => {
    const clock = new ManualClock(1_000);
    let down = true;
    let asked = 0;
    const shared = {
      take: async (_bucket: string, limit: number) => {
        asked += 1;
        if (down) throw new Error('down');
        return { allowed: true, limit, remaining: 9, resetInMs: 1 };
      },
    };
    const limiter = new FallbackRateLimiter(shared, new MemoryRateLimiter(clock), () => clock.nowMs());
    expect((await limiter.take('a', 1)).allowed).toBe(true);
    expect((await limiter.take('a', 1)).allowed).toBe(false);
    expect(asked).toBe(1);
    down = false;
    clock.advanceMs(1_000);
    expect((await limiter.take('a', 1)).remaining).toBe(9);
  });
});
