import { parseCredits } from '@capability-router/kernel';
import { describe, expect, it } from '@jest/globals';
import { registrationCaps, utcDayOf } from './registration-caps.js';

describe('the caps of a registration', () => {
  it('tell the counter that all registrations share from those of whoever registers, so that it is locked last and briefly', () => {
    const policy = {
      perAddressPerDay: 5,
      perNetworkPerDay: 20,
      dailyBudget: parseCredits('100'),
      trialCredits: parseCredits('50'),
    };
    const { own, shared } = registrationCaps({ address: '192.0.2.1', network: '192.0.2.0/24' }, policy);
    expect([...own, shared].map((cap) => [cap.scope, cap.amount, cap.allowed])).toEqual([
      ['address:192.0.2.1', 1n, 5n],
      ['network:192.0.2.0/24', 1n, 20n],
      ['budget', 50_000_000n, 100_000_000n],
    ]);
  });

  it('counts by UTC day', () => {
    const noon = Date.UTC(2026, 1, 3, 12);
    expect(utcDayOf(noon)).toEqual({ startMs: Date.UTC(2026, 1, 3), endMs: Date.UTC(2026, 1, 4) });
    expect(utcDayOf(Date.UTC(2026, 1, 4)).startMs).toBe(Date.UTC(2026, 1, 4));
  });
});
