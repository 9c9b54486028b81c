import { describe, expect, it } from '@jest/globals';
import { meanQuality, qualityOf } from './metrics.js';

describe('quality of a ranking', () => {
  it('is perfect when all relevant tools come first, in whatever order', () => {
    expect(qualityOf(['b', 'a', 'c'], new Set(['a', 'b']))).toEqual({ ndcg10: 1, recall5: 1, recall10: 1, mrr: 1 });
  });

  it('falls with the rank: a single relevant tool at rank 3 gains 1 / log2(4)', () => {
    const { ndcg10, mrr } = qualityOf(['x', 'y', 'a'], new Set(['a']));
    expect(ndcg10).toBeCloseTo(0.5, 12);
    expect(mrr).toBeCloseTo(1 / 3, 12);
  });

  it('counts nothing beyond rank 10, and nothing beyond rank 5 for recall at 5', () => {
    const others = Array.from({ length: 10 }, (_, index) => `x${index}`);
    expect(qualityOf([...others, 'a'], new Set(['a']))).toEqual({ ndcg10: 0, recall5: 0, recall10: 0, mrr: 0 });
    expect(qualityOf([...others.slice(0, 5), 'a'], new Set(['a', 'b']))).toMatchObject({ recall5: 0, recall10: 0.5 });
  });

  it('of several queries is the mean', () => {
    const zero = { ndcg10: 0, recall5: 0, recall10: 0, mrr: 0 };
    expect(meanQuality([zero, { ndcg10: 1, recall5: 0.5, recall10: 1, mrr: 1 }])).toEqual({
      ndcg10: 0.5,
      recall5: 0.25,
      recall10: 0.5,
      mrr: 0.5,
    });
    expect(meanQuality([])).toEqual(zero);
  });
});
