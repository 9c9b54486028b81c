import { rateClasses, type AccountRateClass, type AccountRatePlan } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { defaultPlans, isDefaultPlan, MAX_PLANS, PLAN_NAME } from './rate-limit-plan.js';
import type { RateLimitPlanRecord } from './rate-limit-plan.entity.js';

interface Pending {
  /** Not every replica of the gateway has confirmed that it acts by the change. */
  readonly pending?: true;
}

export interface PlanFacts extends Pending {
  readonly name: string;
  /** Accounts of the kind of its name have it unless they are given another. */
  readonly is_default: boolean;
  /** Requests per minute; null: the limit of the deployment. */
  readonly per_minute: Readonly<Record<AccountRateClass, number | null>>;
  /** Absent on a default plan that nobody changed. */
  readonly changed_at?: string;
}

export interface PlanList {
  readonly items: readonly PlanFacts[];
}

export interface RemovedPlan {
  readonly name: string;
  readonly removed: true;
}

export interface AccountPlan extends Pending {
  readonly account_id: string;
  /** The name of the plan that the account has. */
  readonly plan: string;
  /** Whether the account was given the plan; else it is the default of its kind. */
  readonly assigned: boolean;
}

/** `record`: absent where nobody changed a default plan. */
export function toPlan(name: string, record?: Pick<RateLimitPlanRecord, 'perMinute' | 'changedAt'>): PlanFacts {
  const limits: AccountRatePlan['perMinute'] = record?.perMinute ?? {};
  return {
    name,
    is_default: isDefaultPlan(name),
    per_minute: Object.fromEntries(
      rateClasses.map((surface) => [surface, limits[surface] ?? null]),
    ) as PlanFacts['per_minute'],
    ...(record === undefined ? {} : { changed_at: record.changedAt.toISOString() }),
  };
}

/** The default plans first, which are there also where nobody changed them; then the others by name. */
export function toPlanList(records: readonly RateLimitPlanRecord[]): PlanList {
  const others = records.filter(({ name }) => !isDefaultPlan(name));
  const defaults = defaultPlans.map((name) =>
    toPlan(
      name,
      records.find((record) => record.name === name),
    ),
  );
  return { items: [...defaults, ...others.map((record) => toPlan(record.name, record))] };
}

/** Throws 422 where a name in a path could name no plan. */
export function requirePlanName(name: string): void {
  if (PLAN_NAME.test(name)) return;
  const message = 'The name of a plan is 1 to 40 lower-case letters, digits and hyphens, beginning with a letter.';
  throw new AppError('validation_error', message);
}

export const planRefusals = {
  unknown_account: () => new AppError('not_found'),
  unknown_plan: () => new AppError('validation_error', 'There is no such plan. Make it first, or name another one.'),
  too_many_plans: () => new AppError('conflict', `There are ${MAX_PLANS} plans. Remove one first.`),
  plan_in_use: () =>
    new AppError('conflict', 'Accounts have this plan, also closed ones count. Give each another plan first.'),
  default_plan: () =>
    new AppError('conflict', 'A default plan stays. Put it with an empty per_minute to take its limits back.'),
};
