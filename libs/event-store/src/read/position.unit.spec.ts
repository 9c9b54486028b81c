import { describe, expect, it } from '@jest/globals';
import { comparePositions, formatPosition, parsePosition, START_POSITION } from './position.js';

describe('a position', () => {
  it('orders by transaction, then by place, as numbers', () => {
    const sorted = ['10:1', '9:2', START_POSITION, '9:10'].sort(comparePositions);
    expect(sorted).toEqual([START_POSITION, '9:2', '9:10', '10:1']);
  });

  it('survives its text form, and refuses other text', () => {
    expect(parsePosition(formatPosition('281474976710656', 7n))).toEqual({ txOrder: 281474976710656n, position: 7n });
    expect(() => parsePosition('7')).toThrow(RangeError);
  });
});
