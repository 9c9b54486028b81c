import { describe, expect, it } from '@jest/globals';
import { counterKey, countersOf, fullCaps, type Counted } from './counters.js';
import { DAY_MS, utcDayOf, type CapKind, type RegistrationCap } from './registration-caps.js';

const window = utcDayOf(Date.UTC(2026, 0, 15));
const cap = (kind: CapKind, scope: string, amount: bigint, allowed: bigint): RegistrationCap => ({
  kind,
  scope,
  amount,
  allowed,
});
const client = (address: string, network: string): Counted => ({
  window,
  caps: {
    own: [cap('address', `address:${address}`, 1n, 2n), cap('network', `network:${network}`, 1n, 3n)],
    shared: cap('budget', 'budget', 50n, 200n),
  },
});
const kinds = (counted: readonly Counted[], used: Record<string, bigint> = {}): (CapKind | undefined)[] => {
  const byKey = Object.entries(used).map(
    ([scope, amount]) => [counterKey({ scope, windowStartMs: window.startMs }), amount] as const,
  );
  return fullCaps(counted, new Map(byKey)).map((full) => full?.kind);
};

describe('the caps of many together', () => {
  it('are each counted once, addresses before networks and each in one order, and the shared one apart', () => {
    const { own, shared } = countersOf([client('b', 'x'), client('a', 'x'), client('b', 'w')]);
    expect(own.map(({ scope, amount }) => [scope, amount])).toEqual([
      ['address:a', 1n],
      ['address:b', 2n],
      ['network:w', 1n],
      ['network:x', 2n],
    ]);
    expect(shared.map(({ scope, amount }) => [scope, amount])).toEqual([['budget', 150n]]);
  });

  it('are of the day of each', () => {
    const late = { ...client('a', 'x'), window: utcDayOf(window.startMs + DAY_MS) };
    const { own, shared } = countersOf([client('a', 'x'), late]);
    expect([...own, ...shared].map(({ windowStartMs, amount }) => [windowStartMs, amount])).toEqual([
      [window.startMs, 1n],
      [late.window.startMs, 1n],
      [window.startMs, 1n],
      [late.window.startMs, 1n],
      [window.startMs, 50n],
      [late.window.startMs, 50n],
    ]);
  });

  it('admit in turn for as long as there is room, and whoever is refused takes none', () => {
    const crowd = [client('a', 'x'), client('a', 'x'), client('a', 'x'), client('b', 'x'), client('c', 'x')];
    expect(kinds(crowd)).toEqual([undefined, undefined, 'address', undefined, 'network']);
    expect(kinds([client('a', 'x'), client('b', 'y'), client('c', 'z')], { budget: 100n })).toEqual([
      undefined,
      undefined,
      'budget',
    ]);
  });

  it('name the widest of those that are full', () => {
    expect(kinds([client('a', 'x')], { 'address:a': 2n })).toEqual(['address']);
    expect(kinds([client('a', 'x')], { 'address:a': 2n, 'network:x': 3n })).toEqual(['network']);
    expect(kinds([client('a', 'x')], { 'address:a': 2n, 'network:x': 3n, budget: 200n })).toEqual(['budget']);
  });
});
