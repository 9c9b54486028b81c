import {
  wasAskedToRetry,
  type Bill,
  type EventEnvelope,
  type ExecutionCompleted,
  type ExecutionRefused,
  type ToolsSearched,
  type UsageSettled,
} from '@capability-router/contracts';
import {
  creditsFromMicro,
  ZERO_CREDITS,
  type AccountId,
  type Credits,
  type ExecutionId,
  type SearchId,
} from '@capability-router/kernel';
import type { BillableId } from '../../holds/domain/billable-id.js';

export const isTerminal = (event: { type: string }): boolean =>
  event.type === 'ExecutionCompleted' || event.type === 'ExecutionRefused' || event.type === 'ExecutionInterrupted';

/** The end of an execution or a billed search, as the ledger and finance are told of it. */
export interface BillableEnd extends Pick<
  UsageSettled,
  'accountKind' | 'projectId' | 'eventType' | 'toolId' | 'success' | 'outcome' | 'reasonCode'
> {
  readonly apiKeyId?: string | undefined;
  readonly oauthClientId?: string | undefined;
  readonly providerId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The search that the caller of a call named; a search names itself. */
  readonly searchId?: string | undefined;
  readonly bill: Bill;
  /** ISO 8601. */
  readonly completedAt: string;
  /** False of what leaves no audit row. */
  readonly audited: boolean;
}

/** The settlement that an event asks for, before the hold was looked at. */
export interface SettlementRequest {
  readonly billableId: BillableId;
  readonly accountId: AccountId;
  /** 0 unless it succeeded and its frozen rule puts a price on it. */
  readonly requested: Credits;
  readonly end: BillableEnd;
  /** The trace of the event that asks for it, of which the fact of the settlement is, too. */
  readonly traceparent?: string | undefined;
}

/** Undefined for an event that ends nothing that could be charged, such as a free search. */
export function requestSettlement(event: EventEnvelope): SettlementRequest | undefined {
  const { traceparent } = event;
  const request = requestOf(event);
  return request === undefined || traceparent === undefined ? request : { ...request, traceparent };
}

function requestOf(event: EventEnvelope): SettlementRequest | undefined {
  if (event.type === 'ToolsSearched') return requestOfSearch(event.data as unknown as ToolsSearched);
  return isTerminal(event) ? requestOfExecution(event) : undefined;
}

function requestOfExecution(event: EventEnvelope): SettlementRequest {
  const data = event.data as unknown as ExecutionCompleted | ExecutionRefused;
  // Only a completed call can cost anything; whatever a refused or interrupted one carries is not charged.
  const billable = event.type === 'ExecutionCompleted' && data.outcome.billableSuccess;
  return {
    billableId: data.executionId as ExecutionId,
    accountId: data.accountId as AccountId,
    requested: billable ? listAmount(data.bill) : ZERO_CREDITS,
    end: {
      ...(data.accountKind === undefined ? {} : { accountKind: data.accountKind }),
      ...(data.projectId === undefined ? {} : { projectId: data.projectId }),
      eventType: data.eventType,
      ...(data.toolId === undefined ? {} : { toolId: data.toolId }),
      apiKeyId: data.apiKeyId,
      oauthClientId: data.oauthClientId,
      providerId: data.providerId,
      sessionId: data.sessionId,
      searchId: data.searchId,
      success: data.success,
      outcome: data.outcome.outcome,
      reasonCode: data.outcome.reasonCode,
      bill: data.bill,
      completedAt: data.completedAt,
      audited: !wasAskedToRetry(data),
    },
  };
}

function requestOfSearch(data: ToolsSearched): SettlementRequest | undefined {
  const { bill, searchId } = data;
  if (bill === undefined || searchId === undefined) return undefined;
  return {
    billableId: searchId as SearchId,
    accountId: data.accountId as AccountId,
    requested: data.success ? listAmount(bill) : ZERO_CREDITS,
    end: {
      ...(data.projectId === undefined ? {} : { projectId: data.projectId }),
      eventType: 'search',
      apiKeyId: data.apiKeyId,
      oauthClientId: data.oauthClientId,
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
