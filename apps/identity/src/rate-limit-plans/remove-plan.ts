import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { accountsIn } from '../accounts/accounts-in.js';
import { appendPlanEvent } from './append-plan-event.js';
import { lockPlans } from './lock-plans.sql.js';
import { rateLimitPlansIn } from './rate-limit-plans-in.js';

export interface RemovePlan {
  readonly name: string;
  /** Account of the administrator. */
  readonly removedBy: string;
  readonly nowMs: number;
}

export type RemovePlanStatus = 'removed' | 'unknown_plan' | 'plan_in_use';

/** The end of a plan that no account has, and its `RateLimitPlanRemoved`, in the caller's transaction. */
export async function removePlan(tx: pg.ClientBase, { name, removedBy, nowMs }: RemovePlan): Promise<RemovePlanStatus> {
  await lockPlans(tx);
  const plans = await rateLimitPlansIn(tx);
  // Waits for whoever is about to give the plan to an account; the look at accounts comes after it.
  const plan = await plans.findOne({ where: { name }, lock: { mode: 'pessimistic_write' } });
  if (plan === null) return 'unknown_plan';
  if (await (await accountsIn(tx)).existsBy({ rateLimitPlan: name })) return 'plan_in_use';
  await plans.delete({ name });
  const data = { plan: name, removedBy, removedAt: toIso(nowMs) };
  await appendPlanEvent(tx, { type: 'RateLimitPlanRemoved', data }, nowMs);
  return 'removed';
}
