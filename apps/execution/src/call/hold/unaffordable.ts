import { budgetDetail } from '@capability-router/contracts';
import { creditsFromMicro, type Credits } from '@capability-router/kernel';
import { budgetRefusal } from '../admission/budget-refusals.js';
import { insufficientCredits, type Refusal } from '../admission/refusals.js';
import { planWithin, type Plan } from '../admission/plan.js';
import type { HoldOutcome } from './hold-client.js';

/** Billing did not reserve: the account or a budget of the credential is too short. */
type Short = Extract<HoldOutcome, { status: 'insufficient_credits' | 'budget_exceeded' }>;

/** The most that a hold may be now. */
export function spendable(hold: Short): Credits {
  const budgets = hold.status === 'budget_exceeded' ? hold.budgets : [];
  return budgets
    .map(({ availableMicroCredits }) => creditsFromMicro(BigInt(availableMicroCredits)))
    .reduce((least, left) => (left < least ? left : least), hold.available);
}

/** With the cheapest attempts alone: what the caller is told to be short of. */
export function cheapestOf(plan: Plan): Plan {
  const least = plan.attempts.reduce((lowest, { bound }) => (bound < lowest ? bound : lowest), plan.bound);
  return planWithin(plan, least) ?? plan;
}

export function unaffordable(needed: Credits, hold: Short): Refusal {
  if (hold.status === 'insufficient_credits') return insufficientCredits(needed, hold.available);
  const details = hold.budgets.map((budget) => budgetDetail('The call', needed, budget));
  return budgetRefusal(
    details[0]?.msg ?? '',
    details.map((detail) => ({ ...detail })),
    hold.available,
  );
}
