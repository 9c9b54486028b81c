import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import type { Metering, PriceRule } from '@capability-router/contracts';
import { billResult, dearestCall, leastCharge, upperBound } from './price-call.js';
import { quotePrice } from './quote-price.js';
import { leastUnits, maxUnits, measuredUnits } from './units.js';

const ROUNDS = 4_000;
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);

/** A rule, parameters and a result that know nothing of each other. */
interface Case {
  readonly rule: PriceRule;
  readonly parameters: JsonObject;
  readonly data: JsonValue;
}

function forAnyCall(check: (one: Case) => void): void {
  const random = mulberry32(seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = randomCase((max) => Math.floor(random() * (max + 1)));
    try {
      check(one);
    } catch (cause) {
      throw new Error(`TEST_SEED=${seed}, round ${round}: ${JSON.stringify(one).slice(0, 2_000)}`, { cause });
    }
  }
}

type Int = (max: number) => number;

function randomCase(int: Int): Case {
  const limits = {
    ...(int(1) === 1 ? { limitParameter: 'limit' } : {}),
    ...(int(1) === 1 ? { defaultLimit: int(80) } : {}),
    maxUnits: 1 + int(60),
  };
  const path = int(3) === 0 ? '' : 'used.units';
  const meterings: Metering[] = [
    { kind: 'call' },
    { kind: 'result_rows', path, ...limits },
    { kind: 'result_units', path, ...limits },
    { kind: 'result_kilobytes', maxUnits: 1 + int(6) },
    { kind: 'parameter_kilobytes', parameter: 'given', maxUnits: 1 + int(4) },
    { kind: 'parameter_units', parameter: 'given', defaultUnits: int(70), maxUnits: 1 + int(60) },
  ];
  const amount = (): string => (int(4) === 0 ? 0 : int(1) === 1 ? int(7) : int(5_000_000)).toString();
  const firstTier = 1 + int(20);
  const rule: PriceRule = {
    metering: meterings[int(meterings.length - 1)] ?? { kind: 'call' },
    amountMicroCredits: amount(),
    unitLabel: 'row',
    ...(int(1) === 1 ? { minimumMicroCredits: amount() } : {}),
    ...(int(1) === 1 ? { perUnits: 1 + int(1_000) } : {}),
    ...(int(2) === 0 ? { freeUnits: 1 + int(30) } : {}),
    ...(int(1) === 1
      ? {
          tiers: [
            { aboveUnits: firstTier, amountMicroCredits: amount() },
            { aboveUnits: firstTier + 1 + int(20), amountMicroCredits: amount() },
          ],
        }
      : {}),
    ...(int(2) === 0 ? { cacheHitMicroCredits: amount() } : {}),
  };
  const anything = (): JsonValue =>
    [
      int(100),
      int(400) / 4,
      -int(9),
      1e300,
      '好'.repeat(int(4_000)),
      Array.from({ length: int(120) }, () => 'x'),
      null,
    ][int(6)] ?? null;
  return {
    rule,
    parameters: { ...(int(3) === 0 ? {} : { limit: anything() }), ...(int(3) === 0 ? {} : { given: anything() }) },
    data: int(1) === 1 ? { used: { units: anything() } } : anything(),
  };
}

describe('whatever the rule, the parameters and the result', () => {
  it('a bill is never above the bound, and the bound never above that of the dearest call', () => {
    forAnyCall(({ rule, parameters, data }) => {
      const bound = upperBound(rule, parameters);
      expect(bound <= dearestCall(rule)).toBe(true);
      for (const fromCache of [false, true]) {
        expect(billResult(rule, parameters, { data, fromCache }).amount <= bound).toBe(true);
      }
    });
  });

  it('the lines add up to the amount, each a whole number of micro-credits', () => {
    forAnyCall(({ rule, parameters, data }) => {
      for (const fromCache of [false, true]) {
        const { amount, bill } = billResult(rule, parameters, { data, fromCache });
        const lines = bill.chargeLines.map((line) => BigInt(line.amountMicroCredits));
        expect(lines.reduce((total, line) => total + line, 0n)).toBe(amount);
        expect(bill.listAmountMicroCredits).toBe(amount.toString());
        expect(bill.chargeLines.every(({ quantity }) => Number.isSafeInteger(quantity) && quantity >= 0)).toBe(true);
      }
    });
  });

  it('the amount is what counting unit by unit gives', () => {
    forAnyCall(({ rule, parameters, data }) => {
      const measured = measuredUnits(rule.metering, parameters, data) ?? 0;
      const units = Math.min(measured, maxUnits(rule.metering, parameters));
      expect(billResult(rule, parameters, { data }).amount).toBe(countedByHand(rule, units));
    });
  });

  it('an exact quote is what every result costs, and no valid result costs less than the least', () => {
    forAnyCall(({ rule, parameters, data }) => {
      const { estimate, exact } = quotePrice(rule, parameters);
      expect(estimate).toBe(upperBound(rule, parameters));
      const measured = measuredUnits(rule.metering, parameters, data);
      if (measured === undefined || measured < leastUnits(rule.metering, parameters)) return;
      for (const fromCache of rule.cacheHitMicroCredits === undefined ? [false] : [false, true]) {
        const { amount } = billResult(rule, parameters, { data, fromCache });
        expect(amount >= leastCharge(rule, parameters)).toBe(true);
        if (exact) expect(amount).toBe(estimate);
      }
    });
  });
});

/** The rule in other words: each unit by itself, the fractions of a tier added up and rounded up once. */
function countedByHand(rule: PriceRule, units: number): bigint {
  const free = rule.freeUnits ?? 0;
  const per = BigInt(rule.perUnits ?? 1);
  const perTier = new Map<number, bigint>();
  for (let unit = free + 1; unit <= units; unit += 1) {
    const tier = (rule.tiers ?? []).filter(({ aboveUnits }) => unit > aboveUnits).length;
    const price = tier === 0 ? rule.amountMicroCredits : (rule.tiers?.[tier - 1]?.amountMicroCredits ?? '0');
    perTier.set(tier, (perTier.get(tier) ?? 0n) + BigInt(price));
  }
  let sum = 0n;
  for (const total of perTier.values()) sum += total / per + (total % per === 0n ? 0n : 1n);
  const minimum = free > 0 && units <= free ? 0n : BigInt(rule.minimumMicroCredits ?? '0');
  return sum > minimum ? sum : minimum;
}

function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
