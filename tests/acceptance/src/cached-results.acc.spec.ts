import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { asArray, asObject } from './support/json.js';
import { agreedAmountOf, SLOW_SIZE, startPricedProvider, type PricedProvider } from './support/priced-provider.js';

/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;
const CALLERS = 8;

let account: TestAccount;
let provider: PricedProvider;

beforeAll(async () => {
  [account, provider] = await Promise.all([newAccount(), startPricedProvider()]);
  const over = { cache: { ttl_seconds: 600 } };
  const perRow = { amount_credits: '0.001', metering: { kind: 'result_rows', path: 'rows', max_units: 100 } };
  await provider.publish({
    cached: { price: { amount_credits: '0.5', cache_hit_amount_credits: '0.125' }, over },
    cachednormal: { price: perRow, over },
  });
}, TIMEOUT_MS);
afterAll(() => provider.close());

describe('a tool that may be cached', () => {
  it('answers an equal call without its provider, marked in the audit, for the price of a hit', async () => {
    const parameters = { size: 9 };
    const before = provider.asked;
    const first = await provider.call(account, 'cached', parameters);
    expect(await agreedAmountOf(account, first)).toBe(500_000);
    // Without a shared cache each replica asks once.
    await eventually(async () => {
      const reply = await provider.call(account, 'cached', parameters);
      expect(reply.json['result']).toEqual(first.json['result']);
      expect(await agreedAmountOf(account, reply)).toBe(125_000);
      const usage = await settledUsageOf(account.key, reply.json['execution_id']);
      expect(usage).toMatchObject({ served_from_cache: true, charge_outcome: 'charged', reason_code: 'result.valid' });
    });
    expect((await settledUsageOf(account.key, first.json['execution_id']))['served_from_cache']).toBe(false);
    const until = provider.asked;
    expect(until).toBeGreaterThan(before);
    const bypassed = await provider.call(account, 'cached', parameters, { 'x-service-cache-mode': 'bypass' });
    expect(await agreedAmountOf(account, bypassed)).toBe(500_000);
    expect(provider.asked).toBe(until + 1);
  });

  it('costs the same from the cache where it names no price of a hit, and has no statistics from it', async () => {
    const before = provider.asked;
    let hits = 0;
    await eventually(async () => {
      const reply = await provider.call(account, 'cachednormal', { size: 20 });
      expect(await agreedAmountOf(account, reply)).toBe(20_000);
      const usage = await settledUsageOf(account.key, reply.json['execution_id']);
      if (usage['served_from_cache'] === true) hits += 1;
      expect(hits).toBe(3);
    });
    // The events of an account are counted in their order, so with this one the hits before it would have been.
    await provider.call(account, 'cachednormal', { size: 21 });
    const samples = provider.asked - before;
    await eventually(async () => {
      const stats = asObject((await provider.inspect(account, 'cachednormal'))['stats'], 'stats');
      expect(stats['sample_count']).toBe(samples);
    });
  });

  it('asks its provider far less than it is called at the same time, and each call is accounted for by itself', async () => {
    const before = provider.asked;
    const replies = await Promise.all(
      Array.from({ length: CALLERS }, () => provider.call(account, 'cached', { size: SLOW_SIZE })),
    );
    const askedFor = provider.asked - before;
    // Once a replica at most.
    expect(askedFor).toBeGreaterThanOrEqual(1);
    expect(askedFor).toBeLessThanOrEqual(2);
    expect(new Set(replies.map((reply) => reply.json['execution_id'])).size).toBe(CALLERS);
    const amounts = await Promise.all(replies.map((reply) => agreedAmountOf(account, reply)));
    expect(amounts.filter((amount) => amount === 500_000)).toHaveLength(askedFor);
    expect(amounts.filter((amount) => amount === 125_000)).toHaveLength(CALLERS - askedFor);
  });

  it('has a quote that says that the cache may make it cheaper', async () => {
    const quote = await provider.quote(account, 'cached', { size: 1 });
    expect(quote).toMatchObject({ exact: false, estimate_credits: 0.5 });
    expect(quote['detail']).toEqual({
      description: expect.stringContaining('from 0.125 to 0.5 credits, by whether it is answered from the cache'),
    });
  });

  it('refuses a cache mode that there is not', async () => {
    const reply = await provider.call(account, 'cached', { size: 1 }, { 'x-service-cache-mode': 'refresh' });
    expect(reply.status).toBe(422);
    expect(asObject(asArray(reply.json['details'])[0])['loc']).toEqual(['header', 'X-Service-Cache-Mode']);
  });
});
