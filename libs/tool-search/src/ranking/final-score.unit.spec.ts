import { describe, expect, it } from '@jest/globals';
import { fitOf, fitting, probability, weighing } from './final-score.js';

describe('how well a tool fits', () => {
  it('is what it says and means together, or what it says alone where that is more', () => {
    expect(fitOf({ found: 0.5, alike: 0.9, known: 1 })).toBeCloseTo(0.78, 10);
    expect(fitOf({ found: 0.5, alike: 0.1, known: 1 })).toBeCloseTo(0.625, 10);
    expect(fitOf({ found: 0, alike: 0.5, known: 1 })).toBeCloseTo(0.35, 10);
  });

  it('is at most 1, and what it says where nothing is known of meaning', () => {
    expect(fitOf({ found: 0.9, alike: 1, known: 1 })).toBe(1);
    expect(fitOf({ found: 0.4, alike: undefined, known: 1 })).toBe(0.4);
  });
});

describe('how well a tool fits a query of words that the vectors do not know', () => {
  it('is told by words alone, which count for more', () => {
    expect(fitOf({ found: 0.2, alike: 0, known: 0 })).toBeCloseTo(0.35, 10);
    expect(fitOf({ found: 0.2, alike: 0.9, known: 0 })).toBeCloseTo(0.35, 10);
    expect(fitOf({ found: 0.2, alike: 0.8, known: 0.5 })).toBeCloseTo(0.41, 10);
  });
});

describe('the final score', () => {
  const of = (fit: number, relative: number, glossed = false) =>
    probability({ found: fit, alike: fit, known: 1, fit, relative, glossed });

  it('rises with the fit and with the place in the answer, and is a probability', () => {
    expect(of(0.5, 1)).toBeGreaterThan(of(0.4, 1));
    expect(of(0.5, 1)).toBeGreaterThan(of(0.5, 0.8));
    expect(of(0, 0)).toBeGreaterThan(0);
    expect(of(0, 0)).toBeLessThan(0.01);
    expect(of(1, 1)).toBeGreaterThan(0.7);
    expect(of(1, 1)).toBeLessThanOrEqual(1);
  });

  it('is foretold by other weights where a dictionary gave the words', () => {
    expect(of(0.5, 1, true)).not.toBe(of(0.5, 1));
  });

  it('weighs what was found and the likeness as it is told where certainty is asked for', () => {
    const hit = { found: 0.4, alike: 1, known: 1, fit: 0.9, relative: 1, glossed: false };
    expect(weighing(0.3)(hit)).toBeCloseTo(0.58, 10);
    expect(weighing(0.3)({ ...hit, alike: undefined })).toBe(0.4);
  });
});

describe('the hits that are shown', () => {
  const of = (...fits: number[]) =>
    fitting(
      fits.map((fit) => ({ fit })),
      0.3,
    ).map(({ fit }) => fit);

  it('are none where none of the first ten is good enough', () => {
    expect(of(0.29, 0.2)).toEqual([]);
    expect(of(...Array<number>(10).fill(0.2), 0.9)).toEqual([]);
  });

  it('are those half as good as is needed, beside one that is good', () => {
    expect(of(0.2, 0.3, 0.14, 0.15)).toEqual([0.2, 0.3, 0.15]);
  });
});
