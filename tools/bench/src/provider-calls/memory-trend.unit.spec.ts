import { describe, expect, it } from '@jest/globals';
import { growthPerCall } from './memory-trend.js';

const samples = (bytesAt: (calls: number) => number): { calls: number; bytes: number }[] =>
  Array.from({ length: 21 }, (_, index) => ({ calls: index * 100, bytes: bytesAt(index * 100) }));

describe('growthPerCall', () => {
  it('is what a call leaves behind', () => {
    expect(growthPerCall(samples((calls) => 50_000 + 3 * calls))).toBeCloseTo(3);
    expect(growthPerCall(samples(() => 50_000))).toBeCloseTo(0);
  });

  it('does not count what was taken in the first half', () => {
    expect(growthPerCall(samples((calls) => Math.min(calls, 1_000) * 40))).toBeCloseTo(0);
    expect(growthPerCall(samples((calls) => Math.max(calls, 1_000) * 40))).toBeCloseTo(40);
  });

  it('sees growth below the teeth of the garbage collector', () => {
    expect(growthPerCall(samples((calls) => 2 * calls + ((calls / 100) % 2) * 1_000))).toBeCloseTo(2, 0);
  });

  it('makes no figure out of one sample', () => {
    expect(growthPerCall([{ calls: 10, bytes: 1 }])).toBeNaN();
  });
});
