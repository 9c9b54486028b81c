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
  ])('finds a clock that is off by %d ms at the first answer', (skewMs, said) => {
    const { clock, hear } = machine(skewMs);
    hear();
    expect(clock.trouble()).toContain(said);
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

  it('notices at once when the clock is set, and set right, without hearing from identity', () => {
    const { state, clock, hear } = machine(0);
    hear();
    state.skewMs = 60_000;
    expect(clock.trouble()).toContain('ahead of');
    state.skewMs = 0;
    expect(clock.trouble()).toBeUndefined();
  });

  it('believes what it hears last where answers contradict each other, and nothing that is no date', () => {
    const { state, clock, hear } = machine(60_000);
    hear();
    expect(clock.trouble()).toContain('ahead of');
    hear(20, 60_000);
    expect(clock.trouble()).toBeUndefined();
    clock.heard(undefined, 0, state.passedMs);
    clock.heard('yesterday', 0, state.passedMs);
    expect(clock.trouble()).toBeUndefined();
  });
});
