import { describe, expect, it } from '@jest/globals';
import { median, percentile } from './statistics.js';

describe('median', () => {
  it('is the middle value whatever the order, and the mean of the middle two for an even number', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  it('refuses to make a figure out of nothing', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('percentile', () => {
  it('is a value that was measured, by nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([0, 0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 50, 99, 100]);
  });
});
