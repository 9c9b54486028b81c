import { describe, expect, it } from '@jest/globals';
import { brokenPromises, seenByClients, type SeenCall } from './seen-by-clients.js';

const served = (tookMs: number): SeenCall => ({ status: 200, success: true, tookMs });
const notRun: SeenCall = {
  status: 503,
  code: 'not_dispatched',
  retryAfter: '2',
  message: 'Retry later.',
  tookMs: 1,
};
const lost: SeenCall = { status: 502, success: false, executionId: 'exec_1', tookMs: 1 };
const nothing = { notRun: false, unknownAtMost: 0, longestMs: 1_000 };

describe('what clients saw of a fault', () => {
  it('is counted by how calls ended, with what they took', () => {
    const calls: SeenCall[] = [
      ...Array.from({ length: 98 }, (_, i) => served(i)),
      { ...notRun, tookMs: 500 },
      { tookMs: 700 },
    ];
    expect(seenByClients(calls)).toEqual({
      calls: 100,
      succeeded: 98,
      failed: { 503: 1, broken: 1 },
      notRun: 1,
      reasons: ['Retry later.'],
      incomplete: [],
      unknown: 1,
      unrecorded: 0,
      unnamed: 0,
      refused: 0,
      p50Ms: 50,
      p99Ms: 700,
      longestMs: 700,
    });
  });

  it('is held to what was promised', () => {
    expect(brokenPromises(seenByClients([served(1)]), nothing)).toEqual([]);
    const seen = seenByClients([served(1), notRun, { ...lost, tookMs: 9_000 }]);
    expect(brokenPromises(seen, nothing)).toHaveLength(3);
    expect(brokenPromises(seen, nothing)[0]).toBe('1 calls were not run: Retry later.');
    expect(brokenPromises(seen, { notRun: true, unknownAtMost: 1, longestMs: 9_000 })).toEqual([]);
    const refused = seenByClients([served(1), { status: 422, tookMs: 1 }, { status: 200, success: false, tookMs: 1 }]);
    expect(brokenPromises(refused, nothing)).toHaveLength(2);
    expect(brokenPromises(refused, { ...nothing, refusals: [200, 422] })).toEqual([]);
    expect(brokenPromises(seenByClients([]), nothing)).toEqual(['no call succeeded']);
  });

  it('never is a 5xx that tells neither that the call was not run nor that its outcome is open', () => {
    const anything = { notRun: true, unknownAtMost: Number.POSITIVE_INFINITY, longestMs: 9_000 };
    const brokenBy = (call: SeenCall): string[] => brokenPromises(seenByClients([served(1), call]), anything);
    for (const call of [notRun, lost, { ...lost, status: 504 }, { tookMs: 1 }]) expect(brokenBy(call)).toEqual([]);
    expect(brokenBy({ ...lost, status: 500 })).toEqual(['1 calls were answered 500 without success']);
    expect(brokenBy({ ...lost, status: 507 })).toEqual(['1 calls were answered 507 without success']);
    expect(seenByClients([{ status: 500, tookMs: 1 }]).unknown).toBe(0);
  });

  it('is a 500 only where the database is away, and with the execution that was not recorded', () => {
    const withoutDatabase = { ...nothing, unknownAtMost: 1, unrecorded: true } as const;
    const brokenBy = (...calls: SeenCall[]): string[] =>
      brokenPromises(seenByClients([served(1), ...calls]), withoutDatabase);
    expect(brokenBy({ ...lost, status: 500 })).toEqual([]);
    expect(brokenBy({ ...lost, status: 500 }, { status: 500, tookMs: 1 })).toEqual([
      '1 calls were answered 500 without success',
    ]);
    expect(brokenBy({ ...lost, status: 500 }, lost)).toHaveLength(1);
  });

  it('names the execution whose outcome is open, wherever there was an answer', () => {
    const seen = seenByClients([served(1), { status: 502, tookMs: 1 }, { status: 504, tookMs: 1 }, { tookMs: 1 }]);
    expect(brokenPromises(seen, { ...nothing, unknownAtMost: 3 })).toEqual([
      '2 calls of unknown outcome have no id to look it up by',
    ]);
  });

  it('says of a call that was not run that repeating it is safe, and when', () => {
    const brokenBy = (...calls: SeenCall[]): string[] =>
      brokenPromises(seenByClients([served(1), ...calls]), { ...nothing, notRun: true });
    const { code: _code, ...uncoded } = notRun;
    const { retryAfter: _retryAfter, ...hasty } = notRun;
    expect(brokenBy(notRun)).toEqual([]);
    expect(brokenBy(uncoded, uncoded)).toEqual(['a 503 has the code (none): Retry later.']);
    expect(brokenBy({ ...notRun, code: 'service_unavailable' })).toHaveLength(1);
    expect(brokenBy(hasty)).toEqual(['a 503 has no Retry-After: Retry later.']);
    expect(brokenBy({ ...notRun, retryAfter: 'soon' })).toHaveLength(1);
  });
});
