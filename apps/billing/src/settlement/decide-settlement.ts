import type { ExecutionCompleted, ExecutionEvent, ExecutionRefused } from '@capability-router/contracts';
import {
  creditsFromMicro,
  ZERO_CREDITS,
  type AccountId,
  type Credits,
  type ExecutionId,
} from '@capability-router/kernel';

/** An event that ends an execution. */
export type TerminalEvent = Exclude<ExecutionEvent, { type: 'ExecutionStarted' }>;
export type ExecutionEnd = ExecutionCompleted | ExecutionRefused;

export const isTerminal = (event: { type: string }): boolean =>
  event.type === 'ExecutionCompleted' || event.type === 'ExecutionRefused' || event.type === 'ExecutionInterrupted';

/** What the terminal event asks for, before the hold was looked at. */
export interface SettlementRequest {
  readonly executionId: ExecutionId;
  readonly accountId: AccountId;
  /** 0 unless the call succeeded and its frozen rule puts a price on it. */
  readonly requested: Credits;
  readonly end: ExecutionEnd;
}

export function requestSettlement(event: TerminalEvent): SettlementRequest {
  const { data } = event;
  // Only a completed call can cost anything; whatever a refused or interrupted one carries is not charged.
  const billable = event.type === 'ExecutionCompleted' && data.outcome.billableSuccess;
  return {
    executionId: data.executionId as ExecutionId,
    accountId: data.accountId as AccountId,
    requested: billable ? creditsFromMicro(BigInt(data.bill.listAmountMicroCredits)) : ZERO_CREDITS,
    end: data,
  };
}

/** The hold of an execution as the settling transaction found it. `undefined`: there is no row. */
export interface HoldFound {
  readonly state: 'open' | 'captured' | 'released' | 'uncollected';
  readonly amount: Credits;
}

export type ExceptionKind = 'missing_hold' | 'hold_already_ended' | 'bill_exceeds_hold';

/** How the hold ends and what is charged. `endHold` is absent where no open hold is there to end. */
export type SettlementDecision =
  | { readonly status: 'settled'; readonly charge: Credits; readonly endHold: 'captured' }
  | { readonly status: 'not_applicable'; readonly charge: Credits; readonly endHold?: 'released' }
  | {
      readonly status: 'uncollected';
      readonly charge: Credits;
      readonly endHold?: 'uncollected';
      readonly exception: ExceptionKind;
    };

/**
 * A capture never exceeds its hold, and a terminal event without an open hold never charges: it goes to the exceptions
 * queue instead.
 */
export function decideSettlement(requested: Credits, hold: HoldFound | undefined): SettlementDecision {
  const open = hold?.state === 'open';
  if (requested === 0n) {
    return { status: 'not_applicable', charge: ZERO_CREDITS, ...(open ? { endHold: 'released' as const } : {}) };
  }
  if (hold === undefined) return { status: 'uncollected', charge: ZERO_CREDITS, exception: 'missing_hold' };
  if (!open) return { status: 'uncollected', charge: ZERO_CREDITS, exception: 'hold_already_ended' };
  if (requested > hold.amount) {
    return { status: 'uncollected', charge: ZERO_CREDITS, endHold: 'uncollected', exception: 'bill_exceeds_hold' };
  }
  return { status: 'settled', charge: requested, endHold: 'captured' };
}
