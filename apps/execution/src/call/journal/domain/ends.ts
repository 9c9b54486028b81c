import { toIso } from '@capability-router/kernel';
import type { ExecutionFacts, ForestalledHold } from '@capability-router/contracts';
import { notCharged } from '@capability-router/tool-calls';
import type { ExecutionEnd } from './execution-end.js';
import { interruptedOutcome, refusedOutcome } from './outcomes-of-no-run.js';
import type { Refusal } from '../../admission/domain/refusals.js';

const OK = 200;

/** Never dispatched. */
export function refusedEnd(
  facts: ExecutionFacts,
  refusal: Refusal,
  startedMs: number,
  completedMs: number,
): ExecutionEnd {
  const message = (refusal.recordedMessage ?? refusal.message).slice(0, MAX_MESSAGE_LENGTH);
  return {
    type: 'ExecutionRefused',
    data: {
      ...facts,
      success: false,
      outcome: refusedOutcome(refusal.reasonCode, message),
      bill: notCharged.bill,
      errorMessage: message,
      httpStatusCode: refusal.httpStatus,
      ...timesOf(startedMs, completedMs),
    },
  };
}

/** Whoever ran it is gone. */
export function interruptedEnd(
  facts: ExecutionFacts,
  startedMs: number,
  completedMs: number,
  httpStatusCode = OK,
): ExecutionEnd {
  return {
    type: 'ExecutionInterrupted',
    data: {
      ...facts,
      success: false,
      outcome: interruptedOutcome,
      bill: notCharged.bill,
      errorMessage: interruptedOutcome.userMessage,
      httpStatusCode,
      ...timesOf(startedMs, completedMs),
    },
  };
}

const SERVICE_UNAVAILABLE = 503;

/** Nothing was sent to a provider, and the caller was asked to send the call again: the audit keeps no row of it. */
export function undispatchedEnd(facts: ExecutionFacts, startedMs: number, completedMs: number): ExecutionEnd {
  const { type, data } = interruptedEnd(facts, startedMs, completedMs, SERVICE_UNAVAILABLE);
  return { type, data: { ...data, dispatched: false } };
}

/** Names the hold that may be there for a call that ended without a charge; undefined where none was to be. */
export const holdThatMayBe = (facts: ExecutionFacts): ForestalledHold | undefined =>
  facts.holdMicroCredits === '0'
    ? undefined
    : { billableId: facts.executionId, accountId: facts.accountId, amountMicroCredits: facts.holdMicroCredits };

/** Characters of a message in an event; a caller's own text can be part of it. */
const MAX_MESSAGE_LENGTH = 500;

/** The times that every end has. */
export function timesOf(startedMs: number, completedMs: number) {
  return {
    durationMs: Math.max(0, completedMs - startedMs),
    startedAt: toIso(startedMs),
    completedAt: toIso(completedMs),
  };
}
