import type { ExecutionInterrupted } from '@capability-router/contracts';
import { executeAnswer, type ExecuteAnswer } from './answer.js';
import { refusedOutcome, unknownOutcome } from './classify-outcome.js';
import type { Refusal } from './refusals.js';

/** Which call is answered, and after how many milliseconds. */
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

/** Another end was recorded first: this call is what the record says, and never charged. */
export const interruptedAnswer = (answered: Answered, { outcome, bill }: ExecutionInterrupted): ExecuteAnswer =>
  executeAnswer(200, { ...answered, success: false, outcome, result: {}, bill });
