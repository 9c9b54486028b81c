import { rateClasses, type AccountKind, type AccountRatePlan } from '@capability-router/contracts';

/** Plans beside the default ones. */
export const MAX_PLANS = 100;
/** Requests per minute of one surface. */
export const MAX_PER_MINUTE = 1_000_000;
/** Lower-case letters, digits and hyphens, beginning with a letter. */
export const PLAN_NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** Accounts of a kind have the plan of its name unless they are given another. These plans are always there. */
export const defaultPlans: readonly AccountKind[] = ['trial', 'formal'];
export const isDefaultPlan = (name: string): boolean => (defaultPlans as readonly string[]).includes(name);

/** The columns of a look-up of a credential that say which plan its account has. */
export interface RatePlanColumns {
  readonly planName: string;
  /** Null where nobody set the limits of a default plan. */
  readonly planPerMinute: AccountRatePlan['perMinute'] | null;
}

/** As the gateway is told: with its name also where it limits nothing, so that a change of the plan finds who has it. */
export const ratePlanOf = ({ planName, planPerMinute }: RatePlanColumns): AccountRatePlan => ({
  name: planName,
  perMinute: planPerMinute ?? {},
});

/** In the order in which surfaces are named everywhere, so that equal plans are equal texts. */
export function inOrder(perMinute: AccountRatePlan['perMinute']): AccountRatePlan['perMinute'] {
  const given = rateClasses.flatMap((surface) => {
    const limit = perMinute[surface];
    return limit === undefined ? [] : [[surface, limit] as const];
  });
  return Object.fromEntries(given);
}
