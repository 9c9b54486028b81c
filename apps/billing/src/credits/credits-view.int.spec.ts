import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsFromMicro, newAccountId, systemClock } from '@capability-router/kernel';
import { grantCredits } from '../grants/grant-credits.js';
import { BillingReads, START } from '../test-support/billing-reads.js';
import { inTransaction } from '../test-support/scratch-database.js';

describe('GET /auth/credits', () => {
  let billing: BillingReads;
  beforeAll(async () => {
    billing = await BillingReads.start();
  });
  afterAll(() => billing.stop());

  it('tells what is left of each category, what is held, and what expires first', async () => {
    const account = await billing.account();
    const grant = (category: string, micro: bigint, expiresAt: string | null) => ({
      grantRef: `test:${account}:${category}:${expiresAt}`,
      accountId: account,
      amount: creditsFromMicro(micro),
      entryType: 'grant_correction' as const,
      category,
      expiresAt,
      sourceSystem: 'admin',
      description: 'test',
      metadata: {},
      effectiveAt: new Date(START).toISOString(),
    });
    const grants = [
      grant('purchased', 5_000_000n, '2099-03-01T00:00:00.000Z'),
      grant('purchased', 2_000_000n, '2099-02-01T00:00:00.000Z'),
      grant('invite_reward', 1n, null),
    ];
    await inTransaction(billing.pool, (tx) => grantCredits(tx, grants, systemClock));
    await billing.calls(account, [{ micro: 3_000_000n, atMs: START + 1 }]);
    await billing.hold(account, 4_000_000n, START + 2);
    // The daily allowance is a counter of its own.
    const { daily_free: _allowance, ...data } = (await billing.get(account, '/auth/credits')).data;
    expect(data).toEqual({
      remaining_credits: 1_000.000001,
      held_credits: 4,
      invite_reward: { remaining: 0.000001, total: 0.000001 },
      welcome_bonus: { remaining: 1_000, initial: 1_000 },
      purchased: { remaining: 4, total: 7 },
      trial: { remaining: 0, total: 0 },
      next_expiry: '2099-03-01T00:00:00.000Z',
    });
    expect((await billing.get(account, '/credits')).data).toMatchObject(data);
  });

  it('is nothing of an account that billing has not heard of', async () => {
    const { data } = await billing.get(newAccountId(START), '/auth/credits');
    expect(data).toMatchObject({ remaining_credits: 0, held_credits: 0, purchased: { remaining: 0, total: 0 } });
    expect(data).not.toHaveProperty('next_expiry');
  });
});
