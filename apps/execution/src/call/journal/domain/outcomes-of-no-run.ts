import type { ExecutionOutcome, Outcome, ReasonCode } from '@capability-router/contracts';

/** The outcome of a call that was never dispatched. */
export function refusedOutcome(reasonCode: ReasonCode, userMessage: string): ExecutionOutcome {
  return notRun('refused', reasonCode, userMessage, false);
}

/** The outcome of a call whose runner is gone: whether the provider did something is not known. */
export const interruptedOutcome: ExecutionOutcome = notRun(
  'interrupted',
  'transport.execution_failed',
  'The call was interrupted before its result was recorded. It is not charged.',
  true,
);

/** The caller hears this when the end of a dispatched call could not be recorded. */
export const unknownOutcome: ExecutionOutcome = notRun(
  'transport_failure',
  'transport.no_response',
  'The outcome is unknown: read usage history by execution_id before you call again.',
  false,
);

function notRun(outcome: Outcome, reasonCode: ReasonCode, userMessage: string, retryable: boolean): ExecutionOutcome {
  return {
    outcome,
    reasonCode,
    transportSuccess: false,
    providerSuccess: false,
    billableSuccess: false,
    resultValid: false,
    userMessage,
    retryable,
  };
}
