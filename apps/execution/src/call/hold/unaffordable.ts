import { budgetDetail } from '@capability-router/contracts';
import type { Credits } from '@capability-router/kernel';
import { budgetRefusal } from '../admission/budget-refusals.js';
import { insufficientCredits, type Refusal } from '../admission/refusals.js';
import type { HoldOutcome } from './hold-client.js';

/** Billing did not reserve: the account or a budget of the credential is too short. */
export function unaffordable(
  needed: Credits,
  hold: Extract<HoldOutcome, { status: 'insufficient_credits' | 'budget_exceeded' }>,
): Refusal {
  if (hold.status === 'insufficient_credits') return insufficientCredits(needed, hold.available);
  const details = hold.budgets.map((budget) => budgetDetail('The call', needed, budget));
  return budgetRefusal(
    details[0]?.msg ?? '',
    details.map((detail) => ({ ...detail })),
    hold.available,
  );
}
