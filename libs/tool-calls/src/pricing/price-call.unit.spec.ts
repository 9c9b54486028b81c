import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import type { Metering, PriceRule } from '@capability-router/contracts';
import { billResult, upperBound } from './price-call.js';

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
const rows = (count: number): JsonObject => ({ rows: Array.from({ length: count }, (_, index) => index) });

describe('the price of a call', () => {
  it('is one unit for a tool priced per call', () => {
    expect(upperBound(perCall, {})).toBe(250_000n);
    expect(billResult(perCall, {}, { answer: 42 })).toEqual({
      amount: 250_000n,
      bill: {
        summary: '1 call × 0.25 credits = 0.25 credits',
        listAmountMicroCredits: '250000',
        chargeLines: [
          {
            componentKey: 'call',
            description: '1 call × 0.25 credits',
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
    expect(upperBound(perRow, { limit: -1 })).toBe(50_000n);
    expect(upperBound(perRow, { limit: 1.5 })).toBe(50_000n);
  });

  it('counts rows of the result and never more than the bound', () => {
    expect(billResult(perRow, { limit: 20 }, rows(7)).amount).toBe(7_000n);
    expect(billResult(perRow, { limit: 20 }, rows(400)).amount).toBe(20_000n);
  });

  it('is at least the minimum, on one line that says so', () => {
    const priced = billResult(perRow, { limit: 20 }, rows(2));
    expect(priced.amount).toBe(5_000n);
    expect(priced.bill.chargeLines).toHaveLength(1);
    expect(priced.bill.summary).toContain('Minimum charge');
  });

  it('counts started kilobytes of UTF-8, not characters', () => {
    expect(upperBound(perKilobyte, { text: 'a'.repeat(1_024) })).toBe(333n);
    expect(upperBound(perKilobyte, { text: '好'.repeat(1_024) })).toBe(999n);
  });

  it('is free only where neither amount nor minimum is above zero', () => {
    expect(upperBound({ ...perCall, amountMicroCredits: '0' }, {})).toBe(0n);
    expect(upperBound({ ...perCall, amountMicroCredits: '0', minimumMicroCredits: '1' }, {})).toBe(1n);
    expect(billResult({ ...perCall, amountMicroCredits: '0' }, {}, 1).bill.chargeLines).toEqual([]);
  });

  it('never exceeds its upper bound, whatever the rule, the parameters and the result', () => {
    const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
    const random = mulberry32(seed);
    const int = (max: number): number => Math.floor(random() * (max + 1));
    for (let round = 0; round < 2_000; round += 1) {
      const metering: Metering = [
        { kind: 'call' } as const,
        { kind: 'result_rows', path: 'rows', limitParameter: 'limit', maxUnits: int(60) } as const,
        { kind: 'result_rows', path: 'rows', defaultLimit: int(80), maxUnits: int(60) } as const,
        { kind: 'parameter_kilobytes', parameter: 'text', maxUnits: int(4) } as const,
      ][int(3)] ?? { kind: 'call' };
      const rule: PriceRule = {
        metering,
        amountMicroCredits: int(5_000_000).toString(),
        minimumMicroCredits: int(5_000_000).toString(),
        unitLabel: 'row',
      };
      const limit: JsonValue = [int(100), -int(9), 'ten', null][int(3)] ?? 0.5;
      const parameters = { limit, text: 'ü'.repeat(int(4_000)) };
      const { amount } = billResult(rule, parameters, rows(int(120)));
      if (amount > upperBound(rule, parameters))
        throw new Error(`seed ${seed}, round ${round}: ${JSON.stringify(rule)}`);
    }
  });
});

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
