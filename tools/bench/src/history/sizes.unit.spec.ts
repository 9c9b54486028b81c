import { describe, expect, it } from '@jest/globals';
import { FULL_ROWS, measuredAccounts, SMALL_ROWS } from './sizes.js';

describe('the accounts of a history', () => {
  it.each([
    [FULL_ROWS, [10_000, 100_000, 1_000_000]],
    [300_000, [10_000, 100_000]],
    [100_000, [10_000]],
    [SMALL_ROWS, [5_000]],
  ])('of %d rows are measured at %p', (rows, accounts) => {
    expect(measuredAccounts(rows)).toEqual(accounts);
  });
});
