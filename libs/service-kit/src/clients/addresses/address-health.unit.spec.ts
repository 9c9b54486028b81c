import { describe, expect, it } from '@jest/globals';
import {
  BASE_EJECTION_MS,
  ejected,
  ejectionMs,
  inTurn,
  MAX_EJECTION_MS,
  readmitted,
  wellSinceStart,
  type AddressHealth,
  type EjectionReason,
} from './address-health.js';

const well = { name: 'well', health: wellSinceStart, suspected: false };
const out = (name: string, reason: EjectionReason) => ({
  name,
  health: ejected(wellSinceStart, reason, 0),
  suspected: false,
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
    expect(health.outMs).toBe(99);
  });

  it('remembers earlier ejections of an address that comes and goes, and forgets them after a while in use', () => {
    const back = readmitted(ejected(wellSinceStart, 'silent', 0), 1_000);
    expect(back.out).toBeUndefined();
    expect(ejectionMs(ejected(back, 'silent', 2_000))).toBe(2 * BASE_EJECTION_MS);
    expect(ejectionMs(ejected(back, 'silent', 60_000))).toBe(BASE_EJECTION_MS);
  });

  it('says for how long it is out for its reason: a process that starts refuses, is silent, and is not ready', () => {
    const refused = ejected(wellSinceStart, 'refused', 100);
    const silent = ejected(refused, 'silent', 900);
    expect([silent.out, silent.outMs]).toEqual(['silent', 0]);
    expect(ejected(silent, 'silent', 2_000).outMs).toBe(1_100);
    expect(readmitted(wellSinceStart, 900)).toBe(wellSinceStart);
  });

  it('counts little of the time in which nothing was asked: whoever was stopped itself knows nothing of it', () => {
    const silent = ejected(wellSinceStart, 'silent', 1_000);
    expect(ejected(silent, 'silent', 3_601_000).outMs).toBeLessThan(3_000);
  });
});

describe('the order of addresses', () => {
  it('begins anywhere and holds each address once', () => {
    const addresses = ['a', 'b', 'c'].map((name) => ({ name, health: wellSinceStart, suspected: false }));
    expect([0, 1, 2, 3].map((start) => names(inTurn(addresses, start)).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });

  it('puts what does not serve last, and leaves out what would not even say so', () => {
    const addresses = [
      out('silent', 'silent'),
      out('left', 'not_ours'),
      out('refused', 'refused'),
      out('starting', 'not_ready'),
      well,
    ];
    for (let start = 0; start < 5; start += 1) {
      const order = names(inTurn(addresses, start));
      expect(order[0]).toBe('well');
      expect(order.slice(1).sort()).toEqual(['refused', 'starting']);
    }
  });

  it('puts one whose answer is late behind the others while a probe asks after it', () => {
    const addresses = [{ name: 'late', health: wellSinceStart, suspected: true }, well, out('refused', 'refused')];
    for (let start = 0; start < 3; start += 1)
      expect(names(inTurn(addresses, start))).toEqual(['well', 'late', 'refused']);
  });

  it('ignores health where nothing else is left', () => {
    expect(names(inTurn([out('a', 'silent'), out('b', 'silent')], 1))).toEqual(['b', 'a']);
  });
});
