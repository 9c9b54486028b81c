import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { RateLimiter } from './rate-limiter.js';

export interface LimiterUnderTest {
  readonly limiter: RateLimiter;
  /** Makes the window of buckets that are in use end. */
  endWindow(): Promise<void>;
}

/** Tries on a rate limiter what each of them guarantees. */
export function describeRateLimiter(name: string, create: () => LimiterUnderTest): void {
  describe(name, () => {
    it('allows exactly the limit within a window and tells what is left', async () => {
      const { limiter } = create();
      const bucket = randomUUID();
      const decisions = [];
      for (let request = 0; request < 4; request += 1) decisions.push(await limiter.take(bucket, 3));
      expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
      expect(decisions.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
      expect(decisions.every(({ limit, resetInMs }) => limit === 3 && resetInMs > 0)).toBe(true);
    });

    it('allows exactly the limit to requests that arrive together', async () => {
      const { limiter } = create();
      const bucket = randomUUID();
      const decisions = await Promise.all(Array.from({ length: 50 }, async () => limiter.take(bucket, 20)));
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(20);
    });

    it('counts buckets apart', async () => {
      const { limiter } = create();
      const [first, second] = [randomUUID(), randomUUID()];
      await limiter.take(first, 1);
      expect((await limiter.take(first, 1)).allowed).toBe(false);
      expect((await limiter.take(second, 1)).allowed).toBe(true);
    });

    it('begins again when the window has ended', async () => {
      const { limiter, endWindow } = create();
      const bucket = randomUUID();
      await limiter.take(bucket, 1);
      expect((await limiter.take(bucket, 1)).allowed).toBe(false);
      await endWindow();
      expect(await limiter.take(bucket, 1)).toMatchObject({ allowed: true, remaining: 0 });
    });
  });
}
