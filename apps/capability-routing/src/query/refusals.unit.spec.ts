import { describe, expect, it } from '@jest/globals';
import { nobodyServes } from './refusals.js';

const excluded = [{ toolId: 'a.thing.do.v1', reason: 'over_budget', explanation: 'It may cost 2 credits.' }] as const;

describe('a query above its limit', () => {
  it('is told to raise max_credits where the caller set that, and not where the credential is what limits it', () => {
    expect(nobodyServes({ excluded }, 'caller')).toMatchObject({
      httpStatus: 422,
      code: 'budget_exceeded',
      message: expect.stringMatching(/Raise max_credits/),
    });
    const { message } = nobodyServes({ excluded }, 'credential');
    expect(message).toMatch(/this credential may spend on one query.*claim the trial/);
    expect(message).not.toContain('max_credits');
  });

  it('is not told to raise what nobody set, where the price is beyond any account', () => {
    const unproven = [{ ...excluded[0], reason: 'price_unproven' as const }];
    const { message } = nobodyServes({ excluded: unproven });
    expect(message).toMatch(/not known, or is more than any account can hold/);
    expect(message).not.toContain('max_credits');
  });
});
