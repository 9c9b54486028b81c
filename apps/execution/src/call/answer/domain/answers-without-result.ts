import { subtractCredits, type Credits, type JsonObject, type JsonValue } from '@capability-router/kernel';
import type { ExecutionInterrupted } from '@capability-router/contracts';
import { executeAnswer, type ExecuteAnswer } from './execute-answer.js';
import type { Held } from '../../hold/domain/hold-outcome.js';
import { refusedOutcome, unknownOutcome } from '../../journal/domain/outcomes-of-no-run.js';
import type { Classified } from '../../outcome/domain/classify-outcome.js';
import { DEFAULT_MAX_RESPONSE_BYTES } from '../../request/domain/call.js';
import type { Refusal } from '../../admission/domain/refusals.js';

/** The call that is answered, and the milliseconds that it took. */
export interface Answered {
  readonly executionId: string;
  readonly elapsedMs: number;
}

export function refusalAnswer(answered: Answered, refusal: Refusal): ExecuteAnswer {
  return executeAnswer(refusal.httpStatus, {
    ...answered,
    success: false,
    outcome: refusedOutcome(refusal.reasonCode, refusal.message),
    errorMessage: refusal.message,
    result: {},
    ...(refusal.remainingCredits === undefined ? {} : { remainingCredits: refusal.remainingCredits }),
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
    ...(refusal.code === undefined ? {} : { code: refusal.code }),
  });
}

/** The tool ran, but how it ended is not known: never a 503, which would invite a second run. */
export const unknownOutcomeAnswer = (answered: Answered): ExecuteAnswer =>
  executeAnswer(500, { ...answered, success: false, outcome: unknownOutcome, result: {} });

/** Another end was recorded first: this call is what the record says, whoever asks and when, and never charged. */
export const interruptedAnswer = (
  executionId: string,
  { outcome, bill, durationMs: elapsedMs }: ExecutionInterrupted,
): ExecuteAnswer => executeAnswer(200, { executionId, elapsedMs, success: false, outcome, result: {}, bill });

/**
 * The part of a result that is shown although it is not paid for: an empty one, which may say why, up to the size of an answer; nothing of
 * one that was not accepted.
 */
export function unpaidResult(
  { outcome }: Classified,
  data: JsonValue,
  serialized: Buffer | undefined,
  maxBytes: number = DEFAULT_MAX_RESPONSE_BYTES,
): JsonObject {
  const shown = outcome.outcome === 'empty_result' && (serialized?.length ?? 0) <= maxBytes;
  return { data: shown ? data : {} };
}

/** The hold ends with the call: what can be spent counts the bill in its place. A covered call has neither. */
export const afterBill = ({ available, covered }: Held, bound: Credits, bill: Credits): Credits =>
  covered ? available : subtractCredits(available, subtractCredits(bill, bound));
