import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { billingRule } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { remainingCredits, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { expectShape } from './support/expect-shape.js';
import { asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { agreedAmountOf, linesOf, startPricedProvider, type PricedProvider } from './support/priced-provider.js';

/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;

let account: TestAccount;
let provider: PricedProvider;

/** One of each kind. The provider answers `size` rows, tokens and characters. */
const prices: Readonly<Record<string, JsonObject>> = {
  percall: { amount_credits: '0.5' },
  perrow: {
    amount_credits: '0.001',
    minimum_credits: '0.005',
    metering: { kind: 'result_rows', path: 'rows', limit_parameter: 'limit' },
  },
  graduated: {
    amount_credits: '0.002',
    free_units: 10,
    tiers: [
      { above_units: 20, amount_credits: '0.001' },
      { above_units: 40, amount_credits: '0.0001' },
    ],
    metering: { kind: 'result_rows', path: 'rows', max_units: 100 },
  },
  perkilobyte: { amount_credits: '0.01', metering: { kind: 'result_kilobytes', max_units: 3 } },
  pertoken: {
    amount_credits: '0.5',
    per_units: 1000,
    metering: { kind: 'result_units', path: 'usage.tokens', unit: 'token', max_units: 300 },
  },
  peritem: { amount_credits: '0.000333', metering: { kind: 'parameter_units', parameter: 'size', unit: 'item' } },
  percharacter: {
    amount_credits: '0.000001',
    per_units: 7,
    metering: { kind: 'parameter_units', parameter: 'text', unit: 'character' },
  },
  perinput: { amount_credits: '0.02', metering: { kind: 'parameter_kilobytes', parameter: 'text' } },
};

beforeAll(async () => {
  [account, provider] = await Promise.all([newAccount(), startPricedProvider()]);
  await provider.publish(Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, { price }])));
}, TIMEOUT_MS);
afterAll(() => provider.close());

describe('a tool priced by', () => {
  const text = (characters: number): string => '好'.repeat(characters);
  it.each<[string, JsonObject, number, readonly (readonly [string, number, number])[]]>([
    ['percall', { size: 5 }, 500_000, [['call', 1, 500_000]]],
    ['perrow', { size: 7 }, 7_000, [['result_rows', 7, 7_000]]],
    ['perrow', { size: 2 }, 5_000, [['result_rows', 2, 5_000]]],
    ['perrow', { size: 300, limit: 30 }, 30_000, [['result_rows', 30, 30_000]]],
    ['graduated', { size: 10 }, 0, []],
    ['graduated', { size: 15 }, 10_000, [['result_rows.tier_1', 5, 10_000]]],
    [
      'graduated',
      { size: 300 },
      46_000,
      [
        ['result_rows.tier_1', 10, 20_000],
        ['result_rows.tier_2', 20, 20_000],
        ['result_rows.tier_3', 60, 6_000],
      ],
    ],
    ['perkilobyte', { size: 1 }, 10_000, [['result_kilobytes', 1, 10_000]]],
    ['perkilobyte', { size: 500 }, 30_000, [['result_kilobytes', 3, 30_000]]],
    ['pertoken', { size: 7 }, 3_500, [['result_units', 7, 3_500]]],
    ['pertoken', { size: 500 }, 150_000, [['result_units', 300, 150_000]]],
    ['peritem', { size: 3 }, 999, [['parameter_units', 3, 999]]],
    ['percharacter', { size: 1, text: text(15) }, 3, [['parameter_units', 15, 3]]],
    ['perinput', { size: 1, text: text(1_024) }, 60_000, [['parameter_kilobytes', 3, 60_000]]],
  ])(
    '%s is billed, audited and charged alike, within what was reserved (%#)',
    async (name, parameters, amount, lines) => {
      const { estimate_credits: estimate, exact } = await provider.quote(account, name, parameters);
      const before = micro(await remainingCredits(account.key));
      const reply = await provider.call(account, name, parameters);
      expect(
        linesOf(reply.json['billing']).map((line) => [
          line['component_key'],
          line['quantity'],
          micro(line['amount_credits']),
        ]),
      ).toEqual(lines);
      expect(await agreedAmountOf(account, reply)).toBe(amount);
      expect(micro(estimate)).toBeGreaterThanOrEqual(amount);
      if (exact === true) expect(micro(estimate)).toBe(amount);
      await eventually(async () => expect(micro(await remainingCredits(account.key))).toBe(before - amount));
    },
  );

  it('what a result may at most be billed for says so in the line where there was more', async () => {
    const reply = await provider.call(account, 'pertoken', { size: 301 });
    expect(linesOf(reply.json['billing']).map((line) => line['description'])).toEqual([
      '0.5 credits per 1000 tokens (of 301; more than 300 are not charged)',
    ]);
  });

  it('shows its rule, its hint and its frozen rule in the same words to whoever asks', async () => {
    for (const [name, cost] of [
      ['percall', '0.5'],
      ['perrow', '0.005'],
      ['graduated', '0.002'],
      ['pertoken', '0.15'],
    ]) {
      const result = await provider.inspect(account, asString(name));
      expect([name, result['expected_cost']]).toEqual([name, cost]);
      expectShape(result['billing_rule'], billingRule);
    }
    const rule = asObject((await provider.inspect(account, 'graduated'))['billing_rule']);
    const terms = {
      free_units: 10,
      max_units: 100,
      tiers: [
        { above_units: 20, amount_credits: 0.001 },
        { above_units: 40, amount_credits: 0.0001 },
      ],
    };
    expect(rule).toMatchObject({ ...terms, amount_credits: 0.002, metering_mode: 'result_rows' });
    const reply = await provider.call(account, 'graduated', { size: 12 });
    const usage = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(usage['billing_rule_snapshot']).toMatchObject({ ...terms, amount_credits: 0.002 });
  });

  it('has a quote that says whether it is exact, and by what', async () => {
    expect(await provider.quote(account, 'peritem', { size: 3 })).toMatchObject({
      exact: true,
      basis: 'parameter_units',
      estimate_credits: 0.000999,
    });
    const open = await provider.quote(account, 'perrow', { size: 3, limit: 20 });
    expect(open).toMatchObject({ exact: false, basis: 'result_rows', estimate_credits: 0.02 });
    const { description } = asObject(open['detail']);
    expect(description).toContain('from 0.005 to 0.02 credits, by the number of rows');
    expect(asNumber((await provider.quote(account, 'pertoken', { size: 1 }))['estimate_credits'])).toBe(0.15);
  });

  it('units without a bound is refused, with the field and how to bound it', async () => {
    const unbounded = { amount_credits: 1, metering: { kind: 'result_rows', path: 'rows' } };
    const reply = await provider.put([provider.tool('unbounded', unbounded)], true);
    expect(reply.status).toBe(422);
    expect(reply.json['detail']).toEqual([
      {
        type: 'missing',
        loc: ['body', 'tools', 0, 'price', 'metering', 'max_units'],
        field: 'tools.0.price.metering.max_units',
        msg: expect.stringMatching(
          /^Without an upper bound .*"max_units", or a "limit_parameter" whose schema has a "maximum"/,
        ),
        allowed: { type: 'integer', minimum: 1, maximum: 10_000_000 },
      },
    ]);
  });
});
