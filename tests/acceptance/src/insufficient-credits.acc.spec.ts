import { describe, expect, it } from '@jest/globals';
import { unaffordableCall } from '@capability-router/contracts/answers';
import { newAccount } from './support/accounts.js';
import { listCharges, remainingCredits, settledUsageOf } from './support/audit.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { paidCall, priceOf } from './support/tools.js';

describe('a paid call that the account cannot afford', () => {
  it.each([
    ['nothing', 0],
    ['a micro-credit too little', -0.000001],
  ])('is refused with 402 before dispatch by an account with %s', async (_what, offset) => {
    const setUp = await newAccount(1);
    const price = await priceOf(setUp.key, paidCall.toolId);
    const credits = offset === 0 ? 0 : Math.round((price + offset) * 1e6) / 1e6;
    const { key } = await newAccount(credits);

    const reply = await execute(key, paidCall);
    expect(reply.status).toBe(402);
    expectShape(reply.json, unaffordableCall);
    expect(reply.json['code']).toBe('insufficient_credits');
    expect(reply.json['remaining_credits']).toBe(credits);
    expect(reply.json['error_message']).toMatch(/insufficient credits/i);

    const row = await settledUsageOf(key, reply.json['execution_id']);
    expect(row).toEqual(
      expect.objectContaining({ reason_code: 'insufficient_credits', charge_outcome: 'failed_not_charged' }),
    );
    expect(await remainingCredits(key)).toBe(credits);
    expect(await listCharges(key)).toEqual([]);
  });

  it('goes through when the credits are exactly enough, and leaves 0', async () => {
    const setUp = await newAccount(1);
    const price = await priceOf(setUp.key, paidCall.toolId);
    const { key } = await newAccount(price);
    const reply = await execute(key, paidCall);
    expect(reply.status).toBe(200);
    expect(reply.json['remaining_credits']).toBe(0);
    await settledUsageOf(key, reply.json['execution_id']);
    expect(await remainingCredits(key)).toBe(0);
  });
});
