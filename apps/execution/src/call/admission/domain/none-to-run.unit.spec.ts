import { describe, expect, it } from '@jest/globals';
import type { Credits } from '@capability-router/kernel';
import type { CallLimit } from '@capability-router/tool-calls';
import { toolContract } from '../../../test-support/tool-contract.js';
import type { Skipped } from '../../request/domain/call.js';
import { contractChanged, noneToRun, overBudget } from './none-to-run.js';

const costs = (position: number, amountMicroCredits: string) => ({
  position,
  tool: toolContract({ price: { metering: { kind: 'call' }, amountMicroCredits, unitLabel: 'call' } }),
  parameters: {},
});
const region: Skipped = { reason: 'region' };

describe('a query of which no candidate can be run', () => {
  it.each<[CallLimit['setBy'], readonly string[], RegExp]>([
    ['caller', ['body', 'max_credits'], /0\.1 credits, and max_credits allows 0\.05\. Raise max_credits/],
    ['credential', ['account', 'credits_per_call'], /this credential may spend 0\.05 on one query.*claim the trial/],
  ])('is told the limit of the %s, what the cheapest may cost, and how that is mended', (setBy, loc, message) => {
    const limit: CallLimit = { amount: 50_000n as Credits, setBy };
    const refusal = noneToRun([costs(1, '300000'), costs(2, '100000')], limit, [region, overBudget(limit)]);
    expect(refusal).toMatchObject({
      httpStatus: 422,
      code: 'budget_exceeded',
      message: expect.stringMatching(message),
      details: [{ loc, msg: refusal.message, needed_credits: 0.1, available_credits: 0.05 }],
    });
    expect(setBy === 'credential' && refusal.message.includes('max_credits')).toBe(false);
  });

  it('is not told to retry where its region alone keeps it out', () => {
    expect(noneToRun([], undefined, [region, region]).message).not.toMatch(/[Rr]etry/);
    expect(noneToRun([], undefined, [region, contractChanged])).toMatchObject({
      reasonCode: 'region_restricted',
      message: expect.stringMatching(/Retry later/),
    });
  });
});
