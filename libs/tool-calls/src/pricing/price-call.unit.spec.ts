import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import type { PriceRule } from '@capability-router/contracts';
import { billResult, dearestCall, startingPrice, upperBound } from './price-call.js';

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
/** 0.5 credits for 1,000 tokens, as the result counts them. */
const perToken: PriceRule = {
  metering: { kind: 'result_units', path: 'usage.tokens', limitParameter: 'max_tokens', maxUnits: 8_000 },
  amountMicroCredits: '500000',
  perUnits: 1_000,
  unitLabel: 'token',
};
const perMinute: PriceRule = {
  metering: { kind: 'parameter_units', parameter: 'minutes', defaultUnits: 5, maxUnits: 60 },
  amountMicroCredits: '20000',
  unitLabel: 'minute',
};
const graduated: PriceRule = {
  ...perRow,
  minimumMicroCredits: '0',
  freeUnits: 5,
  tiers: [
    { aboveUnits: 10, amountMicroCredits: '500' },
    { aboveUnits: 30, amountMicroCredits: '0' },
  ],
};
const rows = (count: number): JsonObject => ({ rows: Array.from({ length: count }, (_, index) => index) });
const bill = (rule: PriceRule, parameters: JsonObject, data: JsonValue, fromCache = false) =>
  billResult(rule, parameters, { data, fromCache });
const amounts = (rule: PriceRule, parameters: JsonObject, data: JsonValue) =>
  bill(rule, parameters, data).bill.chargeLines.map((line) => [
    line.componentKey,
    line.quantity,
    line.amountMicroCredits,
  ]);

describe('the price of a call', () => {
  it('is one unit for a tool priced per call', () => {
    expect(upperBound(perCall, {})).toBe(250_000n);
    expect(bill(perCall, {}, { answer: 42 })).toEqual({
      amount: 250_000n,
      bill: {
        summary: '1 call × 0.25 credits = 0.25 credits',
        listAmountMicroCredits: '250000',
        chargeLines: [
          {
            componentKey: 'call',
            description: '0.25 credits per call',
            quantity: 1,
            unitLabel: 'call',
            amountMicroCredits: '250000',
          },
        ],
      },
    });
  });

  it('is bounded by the limit that the caller set, the default, or the maximum of the tool', () => {
    expect(upperBound(perRow, { limit: 20 })).toBe(20_000n);
    expect(upperBound(perRow, {})).toBe(10_000n);
    expect(upperBound(perRow, { limit: 5_000 })).toBe(50_000n);
    expect(upperBound(perRow, { limit: 0 })).toBe(50_000n);
    expect(upperBound(perRow, { limit: -1 })).toBe(50_000n);
    expect(upperBound(perRow, { limit: 1.5 })).toBe(50_000n);
    expect(upperBound(perToken, {})).toBe(4_000_000n);
    expect(upperBound(perToken, { max_tokens: 10 })).toBe(5_000n);
  });

  it('charges what came for a limit of 0, by which many providers mean a page of their own size', () => {
    expect(bill(perRow, { limit: 0 }, rows(20)).amount).toBe(20_000n);
    expect(bill(perRow, { limit: 0 }, rows(400)).amount).toBe(upperBound(perRow, { limit: 0 }));
    expect(bill(perToken, { max_tokens: 0 }, { usage: { tokens: 2_000 } }).amount).toBe(1_000_000n);
    expect(bill(perToken, { max_tokens: 0 }, { usage: { tokens: 0 } }).amount).toBe(0n);
  });

  it('counts rows of the result; what is above the bound is not charged, and the line says so', () => {
    expect(bill(perRow, { limit: 20 }, rows(7)).amount).toBe(7_000n);
    const { amount, bill: capped } = bill(perRow, { limit: 20 }, rows(400));
    expect(amount).toBe(20_000n);
    expect(capped.chargeLines).toEqual([
      expect.objectContaining({
        quantity: 20,
        description: '0.001 credits per row (of 400; more than 20 are not charged)',
      }),
    ]);
  });

  it('is at least the minimum, on one line that says so', () => {
    const priced = bill(perRow, { limit: 20 }, rows(2));
    expect(priced.amount).toBe(5_000n);
    expect(priced.bill.chargeLines).toHaveLength(1);
    expect(priced.bill.chargeLines[0]?.description).toBe('Minimum charge (0.001 credits per row)');
    expect(priced.bill.summary).toBe('Minimum charge (2 rows × 0.001 credits) = 0.005 credits');
  });

  it('counts started kilobytes of UTF-8, not characters', () => {
    expect(upperBound(perKilobyte, { text: 'a'.repeat(1_024) })).toBe(333n);
    expect(upperBound(perKilobyte, { text: '好'.repeat(1_024) })).toBe(999n);
    const result: PriceRule = { ...perKilobyte, metering: { kind: 'result_kilobytes', maxUnits: 4 } };
    expect(upperBound(result, {})).toBe(1_332n);
    // With its quotes a text of 1,022 bytes is one kilobyte of JSON.
    expect(bill(result, {}, '好'.repeat(340)).amount).toBe(333n);
    expect(bill(result, {}, 'a'.repeat(1_023)).amount).toBe(666n);
    expect(billResult(result, {}, { data: null, sizeBytes: 1_024_000 }).amount).toBe(1_332n);
  });

  it('counts what the result says that it used, a started unit as a whole one, and rounds up once', () => {
    expect(amounts(perToken, {}, { usage: { tokens: 1_234 } })).toEqual([['result_units', 1_234, '617000']]);
    expect(bill(perToken, {}, { usage: { tokens: 0.25 } }).amount).toBe(500n);
    expect(bill({ ...perToken, amountMicroCredits: '1' }, {}, { usage: { tokens: 1_001 } }).amount).toBe(2n);
    expect(bill(perToken, {}, { usage: { tokens: 1e300 } }).amount).toBe(4_000_000n);
    expect(bill(perToken, {}, { usage: { tokens: -5 } }).amount).toBe(0n);
    expect(bill(perToken, {}, { usage: { tokens: 1 } }).bill.summary).toBe(
      '1 token × 0.5 credits per 1000 = 0.0005 credits',
    );
    expect(bill(perToken, {}, { usage: { tokens: 1 } }).bill.chargeLines[0]?.description).toBe(
      '0.5 credits per 1000 tokens',
    );
  });

  it('counts a parameter by what it is: a number, the characters of a text, the items of a list', () => {
    expect(upperBound(perMinute, { minutes: 2.1 })).toBe(60_000n);
    expect(upperBound(perMinute, { minutes: '好'.repeat(3) + '😀' })).toBe(80_000n);
    expect(upperBound(perMinute, { minutes: [1, 2] })).toBe(40_000n);
    expect(upperBound(perMinute, {})).toBe(100_000n);
    expect(upperBound(perMinute, { minutes: 1_000 })).toBe(1_200_000n);
    expect(upperBound(perMinute, { minutes: -1 })).toBe(0n);
    expect(bill(perMinute, { minutes: 1_000 }, { ok: true }).bill.summary).toContain('more than 60 are not charged');
  });

  it('gives every unit the price of its tier, one line each, with the first units free', () => {
    expect(amounts(graduated, { limit: 50 }, rows(12))).toEqual([
      ['result_rows.tier_1', 5, '5000'],
      ['result_rows.tier_2', 2, '1000'],
    ]);
    expect(amounts(graduated, { limit: 50 }, rows(40)).at(-1)).toEqual(['result_rows.tier_3', 10, '0']);
    expect(bill(graduated, { limit: 50 }, rows(6)).bill.summary).toBe(
      '1 row × 0.001 credits (the first 5 are free) = 0.001 credits',
    );
    expect(upperBound(graduated, { limit: 50 })).toBe(15_000n);
    expect(amounts({ ...graduated, freeUnits: 20 }, { limit: 50 }, rows(25))).toEqual([
      ['result_rows.tier_2', 5, '2500'],
    ]);
  });

  it('of a call within its free units is nothing, not even the minimum', () => {
    const rule: PriceRule = { ...graduated, minimumMicroCredits: '9000' };
    expect(upperBound(rule, { limit: 5 })).toBe(0n);
    expect(bill(rule, { limit: 50 }, rows(5))).toEqual({
      amount: 0n,
      bill: { summary: 'Free: 5 rows, the first 5 cost nothing', listAmountMicroCredits: '0', chargeLines: [] },
    });
    expect(amounts(rule, { limit: 50 }, rows(6))).toEqual([['result_rows', 1, '9000']]);
  });

  it('of an answer from the cache is the price of a hit, and never more than the same result costs', () => {
    const cheap: PriceRule = { ...perRow, cacheHitMicroCredits: '6000' };
    expect(bill(cheap, { limit: 20 }, rows(20), true).bill).toEqual({
      summary: 'Answered from the cache = 0.006 credits',
      listAmountMicroCredits: '6000',
      chargeLines: [
        {
          componentKey: 'cache_hit',
          description: 'Answered from the cache',
          quantity: 1,
          unitLabel: 'call',
          amountMicroCredits: '6000',
        },
      ],
      fromCache: true,
    });
    expect(bill(cheap, { limit: 20 }, rows(1), true)).toMatchObject({
      amount: 5_000n,
      bill: { summary: expect.stringMatching(/ = 0\.005 credits, from the cache$/) },
    });
    expect(bill(perRow, { limit: 20 }, rows(20), true).amount).toBe(20_000n);
    expect(bill({ ...perRow, cacheHitMicroCredits: '0' }, {}, rows(3), true)).toMatchObject({
      amount: 0n,
      bill: { summary: 'Free, from the cache', chargeLines: [] },
    });
  });

  it('is free only where neither amount nor minimum is above zero', () => {
    expect(upperBound({ ...perCall, amountMicroCredits: '0' }, {})).toBe(0n);
    expect(upperBound({ ...perCall, amountMicroCredits: '0', minimumMicroCredits: '1' }, {})).toBe(1n);
    expect(bill({ ...perCall, amountMicroCredits: '0' }, {}, 1).bill.chargeLines).toEqual([]);
  });

  it('has a hint: what the first units cost that cost anything', () => {
    expect(startingPrice(perRow)).toBe(5_000n);
    expect(startingPrice(perToken)).toBe(500_000n);
    expect(startingPrice({ ...graduated, freeUnits: 10 })).toBe(500n);
    expect(startingPrice({ ...perToken, metering: { ...perToken.metering, maxUnits: 10 } as never })).toBe(5_000n);
  });

  it('of the dearest call that no account can hold is refused', () => {
    expect(dearestCall(graduated)).toBe(15_000n);
    expect(() => dearestCall({ ...perRow, amountMicroCredits: '9000000000000000' })).toThrow(RangeError);
  });
});
