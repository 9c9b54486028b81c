import { describe, expect, it } from '@jest/globals';
import { finalScoreOf, fitting, searchJudgement } from './final-score.js';

describe('how well a tool fits', () => {
  it('is what it says and means together, or what it says alone where that is more', () => {
    expect(finalScoreOf(searchJudgement, 0.5, 0.9)).toBeCloseTo(0.78, 10);
    expect(finalScoreOf(searchJudgement, 0.5, 0.1)).toBeCloseTo(0.625, 10);
    expect(finalScoreOf(searchJudgement, 0, 0.5)).toBeCloseTo(0.35, 10);
  });

  it('is at most 1, and what it says where nothing is known of meaning', () => {
    expect(finalScoreOf(searchJudgement, 0.9, 1)).toBe(1);
    expect(finalScoreOf(searchJudgement, 0.4, undefined)).toBe(0.4);
  });
});

describe('the hits that are shown', () => {
  const of = (...scores: number[]) =>
    fitting(
      scores.map((finalScore) => ({ finalScore })),
      0.3,
    ).map((hit) => hit.finalScore);

  it('are none where none of the first ten is good enough', () => {
    expect(of(0.29, 0.2)).toEqual([]);
    expect(of(...Array<number>(10).fill(0.2), 0.9)).toEqual([]);
  });

  it('are those half as good as is needed, beside one that is good', () => {
    expect(of(0.2, 0.3, 0.14, 0.15)).toEqual([0.2, 0.3, 0.15]);
  });
});
