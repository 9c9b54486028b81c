import { describe, expect, it } from '@jest/globals';
import { fitLogistic, probabilityOf } from './fit-logistic.js';

/** `count` cases of which `relevant` are relevant. */
const cases = (features: readonly number[], count: number, relevant: number) =>
  Array.from({ length: count }, (_, at) => ({ features, relevant: at < relevant }));

describe('a logistic function that is fitted', () => {
  it('foretells the share of each group where groups can be told apart', () => {
    const weights = fitLogistic([
      ...cases([1, 0, 0], 100, 10),
      ...cases([1, 1, 0], 100, 80),
      ...cases([1, 0, 1], 50, 25),
    ]);
    expect(probabilityOf(weights, [1, 0, 0])).toBeCloseTo(0.1, 3);
    expect(probabilityOf(weights, [1, 1, 0])).toBeCloseTo(0.8, 3);
    expect(probabilityOf(weights, [1, 0, 1])).toBeCloseTo(0.5, 3);
  });

  it('stays finite where a feature parts the cases without an exception', () => {
    const weights = fitLogistic([...cases([1, 0], 20, 0), ...cases([1, 1], 20, 20)]);
    expect(weights.every((weight) => Number.isFinite(weight))).toBe(true);
    expect(probabilityOf(weights, [1, 1])).toBeGreaterThan(0.99);
  });
});
