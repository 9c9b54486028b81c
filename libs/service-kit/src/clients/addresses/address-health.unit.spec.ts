import { describe, expect, it } from '@jest/globals';
import {
  BASE_EJECTION_MS,
  ejected,
  ejectionMs,
  inTurn,
  MAX_EJECTION_MS,
  readmitted,
  wellSinceStart,
} from './address-health.js';
import type { AddressHealth } from './address-health.js';

const well = { name: 'well', health: wellSinceStart };
const out = (name: string, reason: 'refused' | 'not_ready' | 'silent') => ({
  name,
  health: ejected(wellSinceStart, reason, 0),
});
const names = (addresses: readonly { name: string }[]): string[] => addresses.map(({ name }) => name);

describe('the health of an address', () => {
  it('is left out for longer with each failed probe, up to a bound', () => {
    let health: AddressHealth = wellSinceStart;
    const times: number[] = [];
    for (let i = 0; i < 100; i += 1) {
      health = ejected(health, 'refused', i);
      times.push(ejectionMs(health));
    }
    expect(times.slice(0, 3)).toEqual([BASE_EJECTION_MS, 2 * BASE_EJECTION_MS, 3 * BASE_EJECTION_MS]);
    expect(times.at(-1)).toBe(MAX_EJECTION_MS);
    expect(health.sinceMs).toBe(0);
  });

  it('remembers earlier ejections of an address that comes and goes, and forgets them after a while in use', () => {
    const back = readmitted(ejected(wellSinceStart, 'silent', 0), 1_000);
    expect(back.out).toBeUndefined();
    expect(ejectionMs(ejected(back, 'silent', 2_000))).toBe(2 * BASE_EJECTION_MS);
    expect(ejectionMs(ejected(back, 'silent', 60_000))).toBe(BASE_EJECTION_MS);
  });

  it('says since when it is out, whatever the probes find', () => {
    const health = ejected(ejected(wellSinceStart, 'refused', 100), 'silent', 900);
    expect([health.out, health.sinceMs]).toEqual(['silent', 100]);
    expect(readmitted(wellSinceStart, 900)).toBe(wellSinceStart);
  });
});

describe('the order of addresses', () => {
  it('begins anywhere and holds each address once', () => {
    const addresses = ['a', 'b', 'c'].map((name) => ({ name, health: wellSinceStart }));
    expect([0, 1, 2, 3].map((start) => names(inTurn(addresses, start)).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });

  it('puts what does not serve last, and leaves out what would not even say so', () => {
    const addresses = [out('silent', 'silent'), out('refused', 'refused'), out('starting', 'not_ready'), well];
    for (let start = 0; start < 4; start += 1) {
      const order = names(inTurn(addresses, start));
      expect(order[0]).toBe('well');
      expect(order.slice(1).sort()).toEqual(['refused', 'starting']);
    }
  });

  it('ignores health where nothing else is left', () => {
    expect(names(inTurn([out('a', 'silent'), out('b', 'silent')], 1))).toEqual(['b', 'a']);
  });
});
