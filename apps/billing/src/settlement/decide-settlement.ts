import type {
  Bill,
  EventEnvelope,
  ExecutionCompleted,
  ExecutionRefused,
  ToolsSearched,
  UsageSettled,
} from '@capability-router/contracts';
import {
  creditsFromMicro,
  ZERO_CREDITS,
  type AccountId,
  type Credits,
  type ExecutionId,
  type SearchId,
} from '@capability-router/kernel';
import type { BillableId } from '../holds/billable-id.js';

/** A call that was answered 503 did not run and leaves no audit row: its caller was asked to send it again. */
export const wasAskedToRetry = (fact: { readonly data: object }): boolean =>
  (fact.data as { httpStatusCode?: unknown }).httpStatusCode === 503;

export const isTerminal = (event: { type: string }): boolean =>
  event.type === 'ExecutionCompleted' || event.type === 'ExecutionRefused' || event.type === 'ExecutionInterrupted';

/** What the ledger and finance are told of a finished execution or a billed search. */
export interface BillableEnd extends Pick<
  UsageSettled,
  'accountKind' | 'eventType' | 'toolId' | 'success' | 'outcome' | 'reasonCode'
> {
  readonly providerId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Of a call, as its caller gave it; of a search, itself. */
  readonly searchId?: string | undefined;
  readonly bill: Bill;
  /** ISO 8601. */
  readonly completedAt: string;
  /** False of what leaves no audit row. */
  readonly audited: boolean;
}

/** What the event asks for, before the hold was looked at. */
export interface SettlementRequest {
  readonly billableId: BillableId;
  readonly accountId: AccountId;
  /** 0 unless it succeeded and its frozen rule puts a price on it. */
  readonly requested: Credits;
  readonly end: BillableEnd;
}

/** Undefined for an event that ends nothing that could be charged, such as a free search. */
export function requestSettlement(event: EventEnvelope): SettlementRequest | undefined {
  if (event.type === 'ToolsSearched') return settleSearch(event.data as unknown as ToolsSearched);
  return isTerminal(event) ? settleExecution(event) : undefined;
}

function settleExecution(event: EventEnvelope): SettlementRequest {
  const data = event.data as unknown as ExecutionCompleted | ExecutionRefused;
  // Only a completed call can cost anything; whatever a refused or interrupted one carries is not charged.
  const billable = event.type === 'ExecutionCompleted' && data.outcome.billableSuccess;
  return {
    billableId: data.executionId as ExecutionId,
    accountId: data.accountId as AccountId,
    requested: billable ? listAmount(data.bill) : ZERO_CREDITS,
    end: {
      ...(data.accountKind === undefined ? {} : { accountKind: data.accountKind }),
      eventType: data.eventType,
      ...(data.toolId === undefined ? {} : { toolId: data.toolId }),
      providerId: data.providerId,
      sessionId: data.sessionId,
      searchId: data.searchId,
      success: data.success,
      outcome: data.outcome.outcome,
      reasonCode: data.outcome.reasonCode,
      bill: data.bill,
      completedAt: data.completedAt,
      audited: !wasAskedToRetry(event),
    },
  };
}

function settleSearch(data: ToolsSearched): SettlementRequest | undefined {
  const { bill, searchId } = data;
  if (bill === undefined || searchId === undefined) return undefined;
  return {
    billableId: searchId as SearchId,
    accountId: data.accountId as AccountId,
    requested: data.success ? listAmount(bill) : ZERO_CREDITS,
    end: {
      eventType: 'search',
      sessionId: data.sessionId,
      searchId,
      success: data.success,
      reasonCode: data.reasonCode ?? (data.resultCount === 0 ? 'result.empty' : 'result.valid'),
      bill,
      completedAt: data.completedAt,
      audited: true,
    },
  };
}

const listAmount = (bill: Bill): Credits => creditsFromMicro(BigInt(bill.listAmountMicroCredits));

/** The hold as the settling transaction found it. `undefined`: there is no row. */
export interface HoldFound {
  readonly accountId: AccountId;
  readonly state: 'open' | 'captured' | 'released' | 'uncollected';
  readonly amount: Credits;
  /** Under which it stands. */
  readonly budgetIds: readonly string[];
  /** Of the daily free allowance that stands for it, `YYYY-MM-DD`; null: it is reserved from the balance. */
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

/**
 * A capture never exceeds its hold, and an event without an open hold never charges: it goes to the exceptions queue
 * instead. A hold of another account than the event's goes back to that
 * account: no other event will end it.
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
