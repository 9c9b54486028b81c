import { describe, expect, it } from '@jest/globals';
import { IdentityClock } from './identity-clock.js';

const TRUE_MS = Date.parse('2026-03-01T12:00:00.250Z');
/** As the header has it: whole seconds. */
const dateAt = (ms: number): string => new Date(ms).toUTCString();

/** A machine whose clock is off by `skewMs`, and that hears from identity. */
function machine(skewMs: number) {
  const state = { skewMs, passedMs: 0 };
  const monotonicMs = () => 5_000 + state.passedMs;
  const clock = new IdentityClock({ nowMs: () => TRUE_MS + state.passedMs + state.skewMs }, monotonicMs);
  const hear = (roundTripMs = 20, identityOffMs = 0): void => {
    const sentAtMs = monotonicMs();
    state.passedMs += roundTripMs;
    clock.heard(dateAt(TRUE_MS + state.passedMs - roundTripMs / 2 + identityOffMs), sentAtMs, monotonicMs());
  };
  return { state, clock, hear };
}

describe('the clock of identity', () => {
  it.each([0, 1_900, -1_900])('finds nothing wrong with a clock that is off by %d ms', (skewMs) => {
    const { state, clock, hear } = machine(skewMs);
    expect(clock.trouble()).toBeUndefined();
    for (let i = 0; i < 50; i += 1) {
      hear(i * 7);
      state.passedMs += 990;
      expect(clock.trouble()).toBeUndefined();
    }
  });

  it.each([
    [3_100, 'ahead of'],
    [-3_100, 'behind'],
    [3_600_000, 'ahead of'],
    [-3_600_000, 'behind'],
  ])('finds a clock that is off by %d ms as soon as two answers agree', (skewMs, said) => {
    const { clock, hear } = machine(skewMs);
    hear();
    expect([clock.trouble(), clock.isUndecided]).toEqual([undefined, true]);
    hear();
    expect(clock.trouble()).toContain(said);
    expect(clock.isUndecided).toBe(false);
  });

  it.each([2_200, -2_200])(
    'finds one that is off by %d ms after some, which each leave another part of a second open',
    (skewMs) => {
      const { state, clock, hear } = machine(skewMs);
      for (let i = 0; i < 20; i += 1) {
        hear();
        state.passedMs += 1_037;
      }
      expect(clock.trouble()).toContain(skewMs > 0 ? '2.' : 'behind');
    },
  );

  it('notices with the next answer that the clock was set wrong, and at once that it was set right', () => {
    const { state, clock, hear } = machine(0);
    hear();
    hear();
    state.skewMs = 60_000;
    expect([clock.trouble(), clock.isUndecided]).toEqual([undefined, true]);
    hear();
    expect([clock.trouble(), clock.isUndecided]).toEqual([expect.stringContaining('ahead of'), false]);
    state.skewMs = 0;
    expect(clock.trouble()).toBeUndefined();
  });

  it('notices within seconds that the clock was set wrong while identity says nothing', () => {
    const { state, clock, hear } = machine(0);
    hear();
    hear();
    state.skewMs = -60_000;
    expect(clock.trouble()).toBeUndefined();
    state.passedMs += 5_001;
    expect(clock.trouble()).toContain('behind');
  });

  it('gives a clock that was set right again the same seconds at a later step', () => {
    const { state, clock, hear } = machine(0);
    hear();
    hear();
    for (const step of [-60_000, 60_000]) {
      state.skewMs = step;
      expect([clock.trouble(), clock.isUndecided]).toEqual([undefined, true]);
      state.passedMs += 1_000;
      state.skewMs = 0;
      expect([clock.trouble(), clock.isUndecided]).toEqual([undefined, false]);
      state.passedMs += 60_000;
    }
    state.skewMs = -60_000;
    expect(clock.trouble()).toBeUndefined();
    state.passedMs += 5_001;
    expect(clock.trouble()).toContain('behind');
  });

  it.each([60_000, -60_000])('finds nothing wrong where NTP sets both clocks by %d ms', (stepMs) => {
    const { state, clock, hear } = machine(0);
    hear();
    hear();
    state.skewMs = stepMs;
    for (let i = 0; i < 3; i += 1) {
      expect(clock.trouble()).toBeUndefined();
      state.passedMs += 1_000;
      expect(clock.trouble()).toBeUndefined();
      hear(20, stepMs);
    }
    expect([clock.trouble(), clock.isUndecided]).toEqual([undefined, false]);
    state.skewMs = 0;
    hear(20, stepMs);
    expect(clock.trouble()).toContain(stepMs > 0 ? 'behind' : 'ahead of');
  });

  it('lets no single answer decide, right or wrong, and believes two in agreement', () => {
    const right = machine(0);
    right.hear();
    right.hear();
    right.hear(20, 3_600_000);
    expect([right.clock.trouble(), right.clock.isUndecided]).toEqual([undefined, true]);
    right.hear();
    expect([right.clock.trouble(), right.clock.isUndecided]).toEqual([undefined, false]);
    const wrong = machine(60_000);
    wrong.hear();
    wrong.hear();
    wrong.hear(20, 60_000);
    expect(wrong.clock.trouble()).toContain('ahead of');
    wrong.hear(20, 60_000);
    expect(wrong.clock.trouble()).toBeUndefined();
  });

  it('believes nothing that is no date', () => {
    const { state, clock } = machine(60_000);
    for (const date of [undefined, 'yesterday', undefined, 'yesterday']) clock.heard(date, 0, state.passedMs);
    expect([clock.trouble(), clock.isUndecided]).toEqual([undefined, false]);
  });
});
