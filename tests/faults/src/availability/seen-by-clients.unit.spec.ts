import { describe, expect, it } from '@jest/globals';
import { brokenPromises, seenByClients } from './seen-by-clients.js';
import type { SeenCall } from './seen-by-clients.js';

const served = (tookMs: number): SeenCall => ({ status: 200, success: true, tookMs });
const nothing = { notRun: false, unknownAtMost: 0, longestMs: 1_000 };

describe('what clients saw of a fault', () => {
  it('is counted by how calls ended, with what they took', () => {
    const calls: SeenCall[] = [
      ...Array.from({ length: 98 }, (_, i) => served(i)),
      { status: 503, message: 'Retry later.', tookMs: 500 },
      { tookMs: 700 },
    ];
    expect(seenByClients(calls)).toEqual({
      calls: 100,
      succeeded: 98,
      failed: { 503: 1, broken: 1 },
      notRun: 1,
      reasons: ['Retry later.'],
      unknown: 1,
      refused: 0,
      p50Ms: 50,
      p99Ms: 700,
      longestMs: 700,
    });
  });

  it('is held to what was promised', () => {
    expect(brokenPromises(seenByClients([served(1)]), nothing)).toEqual([]);
    const seen = seenByClients([
      served(1),
      { status: 503, message: 'Retry later.', tookMs: 1 },
      { status: 502, tookMs: 9_000 },
    ]);
    expect(brokenPromises(seen, nothing)).toHaveLength(3);
    expect(brokenPromises(seen, nothing)[0]).toBe('1 calls were not run: Retry later.');
    expect(brokenPromises(seen, { notRun: true, unknownAtMost: 1, longestMs: 9_000 })).toEqual([]);
    const refused = seenByClients([served(1), { status: 422, tookMs: 1 }, { status: 200, success: false, tookMs: 1 }]);
    expect(brokenPromises(refused, nothing)).toHaveLength(2);
    expect(brokenPromises(refused, { ...nothing, refusals: [200, 422] })).toEqual([]);
    expect(brokenPromises(seenByClients([]), nothing)).toEqual(['no call succeeded']);
  });
});
