import { creditsToNumber } from '@capability-router/kernel';
import { upperBound, type CallLimit } from '@capability-router/tool-calls';
import type { Skipped } from '../../request/domain/call.js';
import { queryBudgetExceeded } from './budget-refusals.js';
import type { Candidate } from './plan.js';
import { noTimeLeft, type Refusal } from './refusals.js';

export const contractChanged: Skipped = {
  reason: 'contract_changed',
  message: 'The tool has another version or price by now than when it was chosen, or is gone. Send the query again.',
};

export function overBudget({ amount, setBy }: CallLimit): Skipped {
  const most = setBy === 'caller' ? 'max_credits allows' : 'this credential may spend on one query';
  return {
    reason: 'over_budget',
    message: `It could cost more than the ${creditsToNumber(amount)} credits that ${most}.`,
  };
}

/**
 * None of the attempts of a query can be run. `candidates`: those that only the limit keeps out. The first reason of these that holds
 * is told, and each attempt has its own in `routing`.
 */
export function noneToRun(
  candidates: readonly Candidate[],
  limit: CallLimit | undefined,
  skipped: readonly Skipped[],
): Refusal {
  const [first, ...others] = candidates.map(({ tool, parameters }) => upperBound(tool.price, parameters));
  if (limit !== undefined && first !== undefined) {
    const cheapest = others.reduce((least, bound) => (bound < least ? bound : least), first);
    return queryBudgetExceeded(cheapest, limit);
  }
  const isAny = (wanted: Skipped['reason']): boolean => skipped.some(({ reason }) => reason === wanted);
  if (isAny('signin_required')) {
    return {
      httpStatus: 200,
      reasonCode: 'oauth_signin_required',
      message: skipped.find(({ reason }) => reason === 'signin_required')?.message ?? 'A provider wants a credential.',
    };
  }
  if (isAny('invalid_parameters')) {
    return {
      httpStatus: 422,
      reasonCode: 'validation_error',
      message: 'The parameters fit no candidate. Correct them as GET /capabilities/{capability_id} shows.',
    };
  }
  if (skipped.length > 0 && skipped.every(({ reason }) => reason === 'region')) {
    return {
      httpStatus: 200,
      reasonCode: 'region_restricted',
      message: 'No candidate may be called from the region of this account. Ask for another capability.',
    };
  }
  return {
    httpStatus: 200,
    reasonCode: isAny('region') ? 'region_restricted' : 'tool_unavailable',
    message: 'No candidate can be run right now; routing.attempts says why. Retry later.',
  };
}

/** None of the attempts of a plan began: there was no time for one, or all of their tools were gone by then. */
export function noneBegun({ skipped }: { readonly skipped: ReadonlyMap<number, Skipped> }): Refusal {
  const all = [...skipped.values()];
  return all.some(({ reason }) => reason === 'no_time') ? noTimeLeft : noneToRun([], undefined, all);
}
