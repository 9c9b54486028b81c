import { ZERO_CREDITS, type AccountId, type Credits } from '@capability-router/kernel';
import type { SettlementRequest } from './request-settlement.js';

/** The hold as the settling transaction found it. `undefined`: there is no row. */
export interface HoldFound {
  readonly accountId: AccountId;
  readonly state: 'open' | 'captured' | 'released' | 'uncollected';
  readonly amount: Credits;
  /** The budgets under which it stands. */
  readonly budgetIds: readonly string[];
  /** The day of the daily free allowance that stands for it, `YYYY-MM-DD`; null: it is reserved from the balance. */
  readonly allowanceDay: string | null;
}

export type ExceptionKind = 'missing_hold' | 'hold_already_ended' | 'bill_exceeds_hold' | 'hold_of_another_account';

/** How the hold ends and what is charged. `endHold` is absent where no open hold is there to end. */
export type SettlementDecision =
  | { readonly status: 'settled'; readonly charge: Credits; readonly endHold: 'captured' }
  | {
      readonly status: 'not_applicable';
      readonly charge: Credits;
      readonly endHold?: 'released';
      /** Taken by the daily free allowance; absent: nothing. */
      readonly covered?: Credits;
      readonly exception?: 'hold_of_another_account';
    }
  | {
      readonly status: 'uncollected';
      readonly charge: Credits;
      readonly endHold?: 'uncollected' | 'released';
      readonly exception: ExceptionKind;
    };

/** The amount that the daily free allowance took. */
export const coveredBy = (decision: SettlementDecision): Credits =>
  (decision.status === 'not_applicable' ? decision.covered : undefined) ?? ZERO_CREDITS;

/**
 * A capture never exceeds its hold, and an event without an open hold never charges: it goes to the exceptions queue
 * instead. A hold of another account than the event's goes back to that account: no other event will end it.
 */
export function decideSettlement(
  { accountId, requested }: Pick<SettlementRequest, 'accountId' | 'requested'>,
  hold: HoldFound | undefined,
): SettlementDecision {
  const open = hold?.state === 'open';
  if (hold !== undefined && hold.accountId !== accountId) {
    return {
      status: requested === 0n ? 'not_applicable' : 'uncollected',
      charge: ZERO_CREDITS,
      ...(open ? { endHold: 'released' } : {}),
      exception: 'hold_of_another_account',
    };
  }
  if (requested === 0n) {
    return { status: 'not_applicable', charge: ZERO_CREDITS, ...(open ? { endHold: 'released' as const } : {}) };
  }
  if (hold === undefined) return { status: 'uncollected', charge: ZERO_CREDITS, exception: 'missing_hold' };
  if (!open) return { status: 'uncollected', charge: ZERO_CREDITS, exception: 'hold_already_ended' };
  if (requested > hold.amount) {
    return { status: 'uncollected', charge: ZERO_CREDITS, endHold: 'uncollected', exception: 'bill_exceeds_hold' };
  }
  if (hold.allowanceDay !== null) {
    return { status: 'not_applicable', charge: ZERO_CREDITS, covered: requested, endHold: 'released' };
  }
  return { status: 'settled', charge: requested, endHold: 'captured' };
}
