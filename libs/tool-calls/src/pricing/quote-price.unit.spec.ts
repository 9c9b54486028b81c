import { describe, expect, it } from '@jest/globals';
import type { PriceRule } from '@capability-router/contracts';
import { billResult } from './price-call.js';
import { quotePrice } from './quote-price.js';

const perCall: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '250000', unitLabel: 'call' };
const perRow: PriceRule = {
  metering: { kind: 'result_rows', path: 'rows', limitParameter: 'limit', defaultLimit: 10, maxUnits: 50 },
  amountMicroCredits: '1000',
  minimumMicroCredits: '5000',
  unitLabel: 'row',
};
const perKilobyte: PriceRule = {
  metering: { kind: 'parameter_kilobytes', parameter: 'text', maxUnits: 100 },
  amountMicroCredits: '333',
  unitLabel: 'kilobyte',
};

describe('a quote', () => {
  it('is exact per call and per kilobyte of a parameter, because both are known beforehand', () => {
    expect(quotePrice(perCall, {})).toMatchObject({ estimate: 250_000n, exact: true, basis: 'call' });
    const quote = quotePrice(perKilobyte, { text: 'a'.repeat(1_025) });
    expect(quote).toMatchObject({ estimate: 666n, exact: true, basis: 'parameter_kilobytes' });
    expect(quote.detail).toContain('costs 0.000666 credits');
  });

  it('is the upper bound, and says so, where the result decides', () => {
    const quote = quotePrice(perRow, { limit: 20 });
    expect(quote).toMatchObject({ estimate: 20_000n, exact: false, basis: 'result_rows' });
    expect(quote.detail).toContain('from 0.005 to 0.02 credits');
  });

  it('is exact where the minimum charge covers every row that can come', () => {
    expect(quotePrice(perRow, { limit: 5 })).toMatchObject({ estimate: 5_000n, exact: true });
  });

  it('of a free tool is an exact 0', () => {
    const quote = quotePrice({ ...perCall, amountMicroCredits: '0' }, {});
    expect(quote).toMatchObject({ estimate: 0n, exact: true, detail: 'The call is free.' });
  });

  it('that is exact is what every valid result is billed', () => {
    for (let limit = 0; limit <= 50; limit += 1) {
      const { estimate, exact } = quotePrice(perRow, { limit });
      const bills = new Set<bigint>();
      for (let rows = 1; rows <= 60; rows += 1) {
        const data = { rows: Array.from({ length: rows }, () => ({})) };
        bills.add(billResult(perRow, { limit }, { data }).amount);
      }
      expect({ limit, bills: bills.size === 1 }).toEqual({ limit, bills: exact });
      expect([...bills].every((bill) => bill <= estimate)).toBe(true);
    }
  });
});
