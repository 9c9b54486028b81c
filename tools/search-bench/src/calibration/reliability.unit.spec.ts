import { describe, expect, it } from '@jest/globals';
import { calibrationErrorOf, reliabilityOf } from './reliability.js';

const foretold = (probability: number, count: number, relevant: number) =>
  Array.from({ length: count }, (_, at) => ({ probability, relevant: at < relevant }));

describe('how far a probability comes true', () => {
  it('is told by bins, the last of which holds certainty', () => {
    const bins = reliabilityOf([...foretold(0.25, 4, 1), ...foretold(1, 2, 2)]);
    expect(bins).toEqual([
      { from: 0.2, to: 0.3, count: 4, foretold: 0.25, relevant: 0.25 },
      { from: 0.9, to: 1, count: 2, foretold: 1, relevant: 1 },
    ]);
    expect(calibrationErrorOf(bins)).toBe(0);
  });

  it('is an error where it is too sure, by as many cases as are', () => {
    expect(calibrationErrorOf(reliabilityOf([...foretold(0.75, 30, 15), ...foretold(0.1, 10, 1)]))).toBeCloseTo(
      0.1875,
      10,
    );
  });
});
