import { describe, expect, it } from '@jest/globals';
import { judgeAgainst, lossesAgainst, toBaseline, withoutPool } from './baseline.js';
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

  it('judges figures of its own data only', () => {
    expect(judgeAgainst(baseline, 'data', pools(0.5, 0.6)).exitCode).toBe(0);
    const fallen = judgeAgainst(baseline, 'data', pools(0.1, 0.1));
    expect(fallen.exitCode).toBe(1);
    expect(fallen.lines).toHaveLength(3);
    expect(judgeAgainst(undefined, 'data', pools(0.5, 0.6)).exitCode).toBe(2);
    for (const figures of [pools(0.1, 0.1), pools(0.9, 0.9), {}]) {
      const { exitCode, lines } = judgeAgainst(baseline, 'other data', figures);
      expect(exitCode).toBe(2);
      expect(lines.join()).toContain('no baseline for these data');
    }
  });

  it('fails a pool or a source that is not measured any more', () => {
    expect(lossesAgainst(baseline, {})).toHaveLength(1);
    expect(lossesAgainst(baseline, { merged: { macro: quality(0.5), sources: {} } })).toHaveLength(1);
  });

  it('judges the other pools where one is left out on purpose', () => {
    const both = toBaseline('data', { ...pools(0.5, 0.6), large: pools(0.4, 0.5)['merged'] as PoolQuality });
    const rest = withoutPool(both, 'large');
    expect(judgeAgainst(rest, 'data', pools(0.5, 0.6)).exitCode).toBe(0);
    expect(judgeAgainst(rest, 'data', pools(0.1, 0.6)).exitCode).toBe(1);
    expect(judgeAgainst(both, 'data', pools(0.5, 0.6)).exitCode).toBe(1);
    expect(withoutPool(undefined, 'large')).toBeUndefined();
  });
});
