import { describe, expect, it } from '@jest/globals';
import { sharesOf } from './shares.js';

describe('how common terms are', () => {
  it('is the part of the texts that hold them, however often a text does', () => {
    const shares = sharesOf([[['list', 'film'], ['film']], [['list']], [['rate'], ['list']], []]);
    expect(Object.fromEntries(shares)).toEqual({ list: 0.75, film: 0.25, rate: 0.25 });
  });

  it('is unknown where there is no text', () => {
    expect(sharesOf([]).size).toBe(0);
  });
});
