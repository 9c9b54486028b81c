import { budgetDetail } from '@capability-router/contracts';
import type { Credits } from '@capability-router/kernel';
import { budgetRefusal } from '../../admission/domain/budget-refusals.js';
import { insufficientCredits, type Refusal } from '../../admission/domain/refusals.js';
import type { Call } from '../../request/domain/call.js';
import type { HoldOutcome } from './hold-outcome.js';

/** Billing did not reserve: the account or a budget of the credential is too short. */
type Short = Extract<HoldOutcome, { status: 'insufficient_credits' | 'budget_exceeded' }>;

/** `needed`: what billing was asked for last, which is what the cheapest attempts may cost. */
export function unaffordable({ query }: Pick<Call, 'query'>, needed: Credits, hold: Short): Refusal {
  const subject = query === undefined ? 'call' : 'query';
  if (hold.status === 'insufficient_credits') return insufficientCredits(subject, needed, hold.available);
  const details = hold.budgets.map((budget) => budgetDetail(`The ${subject}`, needed, budget));
  return budgetRefusal(
    details[0]?.msg ?? '',
    details.map((detail) => ({ ...detail })),
    hold.available,
  );
}
