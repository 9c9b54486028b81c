import type { SettlementState } from '@capability-router/contracts';
import { creditsToNumber, type Credits, type ExecutionId, type JsonObject } from '@capability-router/kernel';
import type { ExecutionEnd } from '../call/journal/domain/execution-end.js';
import type { EndedAnswer } from './ended-answer.js';

/** Tells what became of a Call. */
export interface ExecutionLookUp {
  /** `unavailable`: it ended, and its result is not there; `response` is the rest of its answer. */
  readonly status: 'pending' | 'completed' | 'unavailable';
  readonly execution_id: string;
  readonly execution_state: 'pending' | 'completed' | 'refused' | 'interrupted';
  /** False: it is certain that this call sent nothing to a provider. */
  readonly provider_request_dispatched: boolean;
  readonly settlement_state: SettlementState;
  /** Credits; absent until the call is settled. */
  readonly amount_credits?: number;
  readonly ledger_entry_id?: string;
  /** `reconcile_first`: look again before the call is repeated. */
  readonly retry_disposition: 'terminal' | 'reconcile_first';
  /** In the shape of its route: a Call's, or a query's. Absent while the call runs. */
  readonly response?: JsonObject;
  readonly response_http_status?: number;
  readonly result_unavailable_reason?: 'interrupted' | 'not_kept';
}

/** Billing says this of the bill. */
export interface Settlement {
  readonly state: SettlementState;
  readonly amount?: Credits;
  readonly ledgerEntryId?: string;
}

export const pendingView = (executionId: ExecutionId): ExecutionLookUp => ({
  status: 'pending',
  execution_id: executionId,
  execution_state: 'pending',
  // It may have been, at any moment.
  provider_request_dispatched: true,
  settlement_state: 'pending',
  retry_disposition: 'reconcile_first',
});

export const endedView = (
  executionId: ExecutionId,
  end: ExecutionEnd,
  { body, httpStatus, missing }: EndedAnswer,
  { state, amount, ledgerEntryId }: Settlement,
): ExecutionLookUp => ({
  status: missing === undefined ? 'completed' : 'unavailable',
  execution_id: executionId,
  execution_state: stateByType[end.type],
  provider_request_dispatched: wasDispatched(end),
  settlement_state: state,
  ...(amount === undefined ? {} : { amount_credits: creditsToNumber(amount) }),
  ...(ledgerEntryId === undefined ? {} : { ledger_entry_id: ledgerEntryId }),
  retry_disposition: 'terminal',
  response: body,
  response_http_status: httpStatus,
  ...(missing === undefined ? {} : { result_unavailable_reason: missing }),
});

const stateByType = {
  ExecutionCompleted: 'completed',
  ExecutionRefused: 'refused',
  ExecutionInterrupted: 'interrupted',
} as const;

function wasDispatched(end: ExecutionEnd): boolean {
  switch (end.type) {
    case 'ExecutionCompleted':
      // A query may have been served by a kept result, after an attempt that was sent.
      return end.data.servedFromCache !== true || end.data.attempts?.some(({ status }) => status === 'failed') === true;
    case 'ExecutionRefused':
      return false;
    case 'ExecutionInterrupted':
      return true;
  }
}
