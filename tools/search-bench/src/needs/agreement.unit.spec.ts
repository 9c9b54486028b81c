import { describe, expect, it } from '@jest/globals';
import { agreementOf } from './agreement.js';

const pool = ['a', 'b', 'c', 'd'];

describe('the agreement of two readings', () => {
  it('is whole where they say the same', () => {
    expect(agreementOf([{ need: 'n', pool, first: ['a'], second: ['a'] }])).toEqual({
      judged: 4,
      kappa: 1,
      positive: 1,
    });
  });

  it('is nothing where they agree as often as chance would', () => {
    const { kappa, positive } = agreementOf([{ need: 'n', pool, first: ['a', 'b'], second: ['b', 'c'] }]);
    expect(kappa).toBe(0);
    expect(positive).toBe(0.5);
  });

  it('is taken over all candidates of all needs together', () => {
    const { judged, kappa } = agreementOf([
      { need: 'n', pool, first: ['a'], second: ['a'] },
      { need: 'm', pool, first: ['a'], second: ['b'] },
    ]);
    // Both say yes once and no five times; each says yes twice in eight.
    expect(judged).toBe(8);
    expect(kappa).toBeCloseTo((6 / 8 - 40 / 64) / (1 - 40 / 64));
  });
});
