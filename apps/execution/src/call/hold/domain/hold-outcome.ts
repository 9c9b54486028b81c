import type { HoldOutcome as BillingOutcome } from '@capability-router/service-kit';

export type { Held } from '@capability-router/service-kit';

/**
 * Billing's answer to the hold of an execution. `unavailable`: whether it was placed is not known, or its id has another one;
 * the end of the execution gives back what there is.
 */
export type HoldOutcome = Exclude<BillingOutcome, { readonly status: 'conflict' }>;
