import { describe, expect, it } from '@jest/globals';
import { lossesAgainst, toBaseline } from './baseline.js';
import type { PoolQuality } from './score-pools.js';

const quality = (ndcg10: number): PoolQuality['macro'] => ({ ndcg10, recall5: 0, recall10: 0, mrr: 0 });
const pools = (macro: number, source: number): Record<string, PoolQuality> => ({
  merged: { macro: quality(macro), sources: { a: quality(source) } },
});
const baseline = toBaseline('data', pools(0.5, 0.6));

describe('the baseline of the search evaluation', () => {
  it('lets a gain and a small loss pass', () => {
    expect(lossesAgainst(baseline, pools(0.7, 0.9))).toEqual([]);
    expect(lossesAgainst(baseline, pools(0.496, 0.585))).toEqual([]);
  });

  it('fails a macro figure that falls by more than 0.005', () => {
    expect(lossesAgainst(baseline, pools(0.494, 0.6))).toEqual([
      'merged, macro: nDCG@10 0.4940, the baseline has 0.5000',
    ]);
  });

  it('fails a source that falls by more than 0.02, whatever the others gained', () => {
    expect(lossesAgainst(baseline, pools(0.9, 0.579))).toEqual(['merged, a: nDCG@10 0.5790, the baseline has 0.6000']);
  });

  it('fails a pool or a source that is not measured any more', () => {
    expect(lossesAgainst(baseline, {})).toHaveLength(1);
    expect(lossesAgainst(baseline, { merged: { macro: quality(0.5), sources: {} } })).toHaveLength(1);
  });
});
