import { describe, expect, it } from '@jest/globals';
import { parseCreditRange } from './credit-range.js';

describe('a range of credits', () => {
  it('is in micro-credits, open where a bound is left out', () => {
    expect(parseCreditRange({})).toEqual({});
    expect(parseCreditRange({ min_credits: 0, max_credits: 2.5 })).toEqual({ min: '0', max: '2500000' });
    expect(parseCreditRange({ min_credits: 1, max_credits: 1 })).toEqual({ min: '1000000', max: '1000000' });
  });

  it('takes numbers that no amount is, and says what they say', () => {
    expect(parseCreditRange({ min_credits: 1e-7, max_credits: 1.0000019 })).toEqual({ min: '1', max: '1000001' });
    expect(parseCreditRange({ min_credits: 5e-5, max_credits: 0.1 + 0.2 })).toEqual({ min: '50', max: '300000' });
    expect(parseCreditRange({ min_credits: 1000.000001, max_credits: 9e9 })).toEqual({
      min: '1000000001',
      max: '9000000000000000',
    });
    const beyond = '9000000000000001';
    expect(parseCreditRange({ min_credits: 9_000_000_001, max_credits: 1e300 })).toEqual({ min: beyond, max: beyond });
  });

  it.each([
    [{ min_credits: -1 }, 'min_credits must be >= 0'],
    [{ max_credits: -0.000001 }, 'max_credits must be >= 0'],
    [{ min_credits: 5, max_credits: 1 }, 'min_credits must not be greater than max_credits'],
  ])('refuses %p as an invalid query', (query, message) => {
    expect(() => parseCreditRange(query)).toThrow(expect.objectContaining({ code: 'invalid_query', message }));
  });
});
