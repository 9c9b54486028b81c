import { describe, expect, it } from '@jest/globals';
import { FoldedRefusals, type Refusal } from './fold-refusals.js';

const MINUTE_MS = 60_000;
const of = (accountId: string, route = 'GET /x'): Refusal => ({
  kind: 'forbidden',
  route,
  caller: { accountId, credentialType: 'api_key' },
});
const told = (refusals: FoldedRefusals, nowMs: number, atOnce = false): unknown[] =>
  refusals.take(nowMs, 100, atOnce).map(({ caller, route, occurrences }) => [caller?.accountId, route, occurrences]);

describe('refusals that are folded', () => {
  it('are two reports a minute, however many there are, and none is lost', () => {
    const refusals = new FoldedRefusals(10);
    for (let index = 0; index < 3; index += 1) refusals.add(of('a'), 0);
    expect(told(refusals, 1_000)).toEqual([['a', 'GET /x', 3]]);
    for (let index = 0; index < 10_000; index += 1) refusals.add(of('a'), 2_000);
    expect(told(refusals, MINUTE_MS - 1)).toEqual([]);
    expect(told(refusals, MINUTE_MS)).toEqual([['a', 'GET /x', 10_000]]);
    expect(told(refusals, 3 * MINUTE_MS)).toEqual([]);
    refusals.add(of('a'), 3 * MINUTE_MS);
    expect(told(refusals, 3 * MINUTE_MS)).toEqual([['a', 'GET /x', 1]]);
  });

  it('keep accounts and routes apart, and say where there is no room for another', () => {
    const refusals = new FoldedRefusals(3);
    expect([of('a'), of('b'), of('a', 'GET /y'), of('c'), of('b')].map((one) => refusals.add(one, 0))).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(told(refusals, 0)).toEqual([
      ['a', 'GET /x', 1],
      ['b', 'GET /x', 2],
      ['a', 'GET /y', 1],
    ]);
    expect(refusals.add(of('c'), 1)).toBe(false);
    expect(told(refusals, MINUTE_MS)).toEqual([]);
    expect(refusals.add(of('c'), MINUTE_MS)).toBe(true);
  });

  it('are all due at the end', () => {
    const refusals = new FoldedRefusals(3);
    refusals.add(of('a'), 0);
    told(refusals, 0);
    refusals.add(of('a'), 1);
    expect([told(refusals, 2), told(refusals, 2, true)]).toEqual([[], [['a', 'GET /x', 1]]]);
  });
});
