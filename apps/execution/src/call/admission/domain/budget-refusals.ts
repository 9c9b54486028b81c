import { creditsToNumber, type Credits } from '@capability-router/kernel';
import type { CallLimit } from '@capability-router/tool-calls';
import type { Refusal } from './refusals.js';

/** `available`: what the account has, where billing told. */
export function callBudgetExceeded(needed: Credits, limit: CallLimit, available: Credits | undefined): Refusal {
  const [cost, most] = [creditsToNumber(needed), creditsToNumber(limit.amount)];
  const told = {
    caller: {
      loc: ['body', 'max_credits'],
      allowed: { minimum: cost },
      msg:
        `The call may cost up to ${cost} credits, and max_credits allows ${most}. ` +
        'Raise max_credits, ask for less, or choose a cheaper tool.',
    },
    credential: {
      loc: ['account', 'credits_per_call'],
      msg:
        `The call may cost up to ${cost} credits, and this credential may spend ${most} on one call. ` +
        'Choose a cheaper tool, or claim the trial to lift the limit.',
    },
  }[limit.setBy];
  return budgetRefusal(told.msg, [{ type, ...told, ...amountsOf(cost, most) }], available);
}

/** `cheapest`: what the cheapest of the candidates may cost. Nothing of the account is looked at, so its credits are not told. */
export function queryBudgetExceeded(cheapest: Credits, limit: CallLimit): Refusal {
  const [cost, most] = [creditsToNumber(cheapest), creditsToNumber(limit.amount)];
  const told = {
    caller: {
      loc: ['body', 'max_credits'],
      allowed: { minimum: cost },
      msg: `The cheapest candidate may cost up to ${cost} credits, and max_credits allows ${most}. Raise max_credits, or ask for less.`,
    },
    credential: {
      loc: ['account', 'credits_per_call'],
      msg:
        `The cheapest candidate may cost up to ${cost} credits, and this credential may spend ${most} on one query. ` +
        'Ask for less, or claim the trial to lift the limit.',
    },
  }[limit.setBy];
  const refusal = budgetRefusal(told.msg, [{ type, ...told, ...amountsOf(cost, most) }], undefined);
  return { ...refusal, httpStatus: 422 };
}

const type = 'budget_exceeded';

const amountsOf = (cost: number, most: number) => ({
  scope: 'call',
  needed_credits: cost,
  available_credits: most,
  limit_credits: most,
});

export const budgetRefusal = (
  message: string,
  details: NonNullable<Refusal['details']>,
  available: Credits | undefined,
): Refusal => ({
  httpStatus: 402,
  reasonCode: 'budget_exceeded',
  code: 'budget_exceeded',
  message,
  details,
  ...(available === undefined ? {} : { remainingCredits: available }),
});
