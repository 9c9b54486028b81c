import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  admittedShare,
  afterCall,
  closedBreaker,
  MAX_OPEN_MS,
  OPEN_MS,
  OPENING_FAILURES,
  RAMP_MS,
  type Breaker,
} from './breaker.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
/** Each call begins and ends at once, and they come from two accounts, turn about, unless one is named. */
const after = (
  breaker: Breaker,
  calls: readonly (readonly [success: boolean, atMs: number])[],
  accountId?: string,
): Breaker =>
  calls.reduce(
    (before, [success, atMs], index) =>
      afterCall(before, { success, startedMs: atMs, endedMs: atMs, accountId: accountId ?? `acc_${index % 2}` }),
    breaker,
  );
const shareAt = (breaker: Breaker, atMs: number, accountId = 'acc_any'): number =>
  admittedShare(breaker, atMs, accountId);
const times = (count: number, success: boolean, atMs: number) =>
  Array.from({ length: count }, () => [success, atMs] as const);
const opened = after(closedBreaker, times(5, false, NOW));

describe('a breaker', () => {
  it('stays closed for failures between which there is a success', () => {
    const breaker = after(closedBreaker, [...times(4, false, NOW), [true, NOW], ...times(4, false, NOW)]);
    expect(shareAt(breaker, NOW)).toBe(1);
  });

  it('opens at five failures in a row, and lets nothing through for ten seconds', () => {
    expect(shareAt(after(closedBreaker, times(4, false, NOW)), NOW)).toBe(1);
    expect([0, 1, OPEN_MS - 1].map((ms) => shareAt(opened, NOW + ms))).toEqual([0, 0, 0]);
  });

  it('then lets a twentieth through, and more with the time', () => {
    const from = NOW + OPEN_MS;
    expect(shareAt(opened, from)).toBe(0.05);
    expect(shareAt(opened, from + RAMP_MS / 2)).toBeCloseTo(0.525);
    expect(shareAt(opened, from + RAMP_MS)).toBe(1);
    expect(shareAt(opened, from + 10 * RAMP_MS)).toBe(1);
  });

  it('lets more through with each success, and is closed after ten', () => {
    const from = NOW + OPEN_MS;
    const shares = [1, 4, 9].map((count) => shareAt(after(opened, times(count, true, from)), from));
    expect(shares).toEqual([0.1, 0.4, 0.9]);
    expect(after(opened, times(10, true, from))).toEqual(closedBreaker);
  });

  it('is opened again by one failure, for twice as long each time, up to five minutes', () => {
    let breaker = opened;
    const lengths = Array.from({ length: 7 }, () => {
      const until = breaker.open?.untilMs ?? 0;
      breaker = after(after(breaker, times(3, true, until)), [[false, until]], 'acc_1');
      expect(shareAt(breaker, until)).toBe(0);
      return (breaker.open?.untilMs ?? 0) - until;
    });
    expect(lengths).toEqual([20_000, 40_000, 80_000, 160_000, MAX_OPEN_MS, MAX_OPEN_MS, MAX_OPEN_MS]);
  });

  it('has the numbers that docs/routing.md tells', () => {
    const document = readFileSync(new URL('../../../../../docs/routing.md', import.meta.url), 'utf8');
    expect(document).toContain(`A breaker opens at ${OPENING_FAILURES} failures in a row`);
    expect(document).toContain(`nothing reaches it for ${OPEN_MS / 1_000} s`);
    expect(document).toContain(`in ${RAMP_MS / 1_000} s this share grows`);
    expect(document).toContain(`up to ${MAX_OPEN_MS / 60_000} minutes`);
  });

  it('learns nothing from calls that were under way when it opened', () => {
    const stragglers = [...times(50, false, NOW + 100), ...times(20, true, NOW + 200)];
    expect(after(opened, stragglers).open).toEqual(opened.open);
    const endedMs = NOW + OPEN_MS + 5_000;
    const slow = { startedMs: NOW - 1, endedMs, accountId: 'acc_1' };
    const back = after(opened, times(3, true, endedMs - 1));
    for (const success of [true, false]) {
      expect(afterCall(back, { ...slow, success }).open).toEqual(back.open);
    }
    // One that began after it had opened was let through to see.
    expect(shareAt(afterCall(back, { ...slow, success: false, startedMs: NOW + OPEN_MS }), endedMs)).toBe(0);
  });

  it('that was opened again learns nothing from calls that began before that', () => {
    const againMs = NOW + OPEN_MS + 1_000;
    const again = after(opened, [[false, againMs]]);
    const endedMs = again.open?.untilMs ?? 0;
    const slow = { success: false, startedMs: againMs - 500, endedMs, accountId: 'acc_1' };
    expect(afterCall(again, slow).open).toEqual(again.open);
  });

  describe('whose failures are all of one account', () => {
    const ofOne = after(closedBreaker, times(OPENING_FAILURES, false, NOW), 'acc_1');

    it('is open for that account, and closed for every other', () => {
      expect([shareAt(ofOne, NOW, 'acc_1'), shareAt(ofOne, NOW, 'acc_2')]).toEqual([0, 1]);
      expect([shareAt(opened, NOW, 'acc_1'), shareAt(opened, NOW, 'acc_2')]).toEqual([0, 0]);
    });

    it('opens for everybody when another account meets them too', () => {
      const both = after(ofOne, times(1, false, NOW + 1), 'acc_2');
      expect(shareAt(both, NOW + 2, 'acc_3')).toBe(0);
    });

    it('stays as it is by what others meet, and is closed by successes of its own', () => {
      const others = after(ofOne, times(20, true, NOW + OPEN_MS), 'acc_2');
      expect([shareAt(others, NOW + 1, 'acc_1'), shareAt(others, NOW + 1, 'acc_2')]).toEqual([0, 1]);
      expect(after(others, times(10, true, NOW + OPEN_MS), 'acc_1')).toEqual(closedBreaker);
    });
  });
});
