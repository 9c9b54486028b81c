import type { AccountRatePlan } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { In, Not } from 'typeorm';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';
import { appendPlanEvent } from './append-plan-event.js';
import { lockPlans } from './lock-plans.sql.js';
import { defaultPlans, inOrder, isDefaultPlan, MAX_PLANS } from './rate-limit-plan.js';
import { rateLimitPlansIn } from './rate-limit-plans-in.js';

export interface PutPlan {
  readonly name: string;
  readonly perMinute: AccountRatePlan['perMinute'];
  /** Account of the administrator. */
  readonly changedBy: string;
  readonly nowMs: number;
}

export type PutPlanResult =
  | { readonly status: 'changed' | 'unchanged'; readonly change: Change | undefined }
  | { readonly status: 'too_many_plans' };

/** The plan and its `RateLimitPlanChanged`, in the caller's transaction. What changes nothing records nothing. */
export async function putPlan(
  tx: pg.ClientBase,
  { name, perMinute, changedBy, nowMs }: PutPlan,
): Promise<PutPlanResult> {
  await lockPlans(tx);
  const plans = await rateLimitPlansIn(tx);
  const before = await plans.findOneBy({ name });
  const limits = inOrder(perMinute);
  if (before !== null && JSON.stringify(inOrder(before.perMinute)) === JSON.stringify(limits)) {
    return { status: 'unchanged', change: changeOfRow(before) };
  }
  const counted = { name: Not(In(defaultPlans)) };
  if (before === null && !isDefaultPlan(name) && (await plans.countBy(counted)) >= MAX_PLANS) {
    return { status: 'too_many_plans' };
  }
  const change = newChange(nowMs);
  await plans.upsert({ name, perMinute: limits, ...rowOfChange(change) }, ['name']);
  const data = { plan: name, perMinute: limits, changedBy, changeId: change.changeId, changedAt: toIso(nowMs) };
  await appendPlanEvent(tx, { type: 'RateLimitPlanChanged', data }, nowMs);
  return { status: 'changed', change };
}
