import { describe, expect, it } from '@jest/globals';
import { meanScores, scoreRanking } from './ranking-scores.js';

describe('the score of a ranking', () => {
  it('is 1 for relevant tools at the top, and less the further down they are', () => {
    expect(scoreRanking(['a', 'b', 'x'], new Set(['b', 'a']), 10)).toEqual({ gain: 1, recall: 1 });
    const second = scoreRanking(['x', 'a'], new Set(['a']), 10);
    expect(second.gain).toBeCloseTo(1 / Math.log2(3), 10);
    expect(second.recall).toBe(1);
    expect(scoreRanking([], new Set(['a']), 10)).toEqual({ gain: 0, recall: 0 });
  });

  it('looks at the first ranks only', () => {
    expect(scoreRanking(['x', 'y', 'a'], new Set(['a']), 2)).toEqual({ gain: 0, recall: 0 });
    expect(scoreRanking(['a', 'b'], new Set(['a', 'b', 'c']), 2)).toEqual({ gain: 1, recall: 2 / 3 });
  });

  it('is averaged', () => {
    expect(
      meanScores([
        { gain: 1, recall: 0 },
        { gain: 0.5, recall: 1 },
      ]),
    ).toEqual({ gain: 0.75, recall: 0.5 });
  });
});
