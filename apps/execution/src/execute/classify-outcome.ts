import { isJsonObject, type JsonValue } from '@capability-router/kernel';
import type { ExecutionOutcome, Outcome, PriceRule, ReasonCode } from '@capability-router/contracts';
import type { DispatchedAnswer } from '@capability-router/provider-kit';
import { rowsAt } from '@capability-router/tool-calls';

type Failure = Extract<DispatchedAnswer, { kind: 'failed' }>;

/** Characters of a provider's text that are passed on: it is untrusted. */
const MAX_PROVIDER_MESSAGE_LENGTH = 500;

export interface Classified {
  /** Only a success is billed. */
  readonly success: boolean;
  readonly outcome: ExecutionOutcome;
  /** Absent on success. */
  readonly errorMessage?: string;
}

/** What a provider's answer is worth: failed, empty and invalid results are never charged. */
export function classifyAnswer(answer: DispatchedAnswer, rule: PriceRule): Classified {
  if (answer.kind === 'failed') return classifyFailure(answer);
  const { metering } = rule;
  const rows = metering.kind === 'result_rows' ? rowsAt(answer.data, metering.path) : undefined;
  if (isEmptyResult(answer.data) || rows?.length === 0) return emptyResult;
  if (metering.kind === 'result_rows' && rows === undefined) {
    return failed('provider_failure', 'provider.error', 'The tool answered in an unexpected shape.', {
      transportSuccess: true,
      retryable: false,
    });
  }
  const counts = rows === undefined ? {} : { validResultCount: rows.length, rawResultCount: rows.length };
  return {
    success: true,
    outcome: {
      outcome: 'success',
      reasonCode: 'result.valid',
      transportSuccess: true,
      providerSuccess: true,
      billableSuccess: true,
      resultValid: true,
      userMessage: 'The tool returned a valid result.',
      retryable: false,
      ...counts,
    },
  };
}

/** Nothing usable: null, an empty list or object, or an object whose `rows` are empty. */
export function isEmptyResult(data: JsonValue): boolean {
  if (data === null) return true;
  if (Array.isArray(data)) return data.length === 0;
  if (!isJsonObject(data)) return false;
  return Object.keys(data).length === 0 || rowsAt(data, 'rows')?.length === 0;
}

const emptyMessage = 'The tool answered, but had no result for these parameters. The call is not charged.';

const emptyResult: Classified = {
  success: false,
  errorMessage: emptyMessage,
  outcome: {
    outcome: 'empty_result',
    reasonCode: 'result.empty',
    transportSuccess: true,
    providerSuccess: true,
    billableSuccess: false,
    resultValid: false,
    userMessage: emptyMessage,
    retryable: false,
    validResultCount: 0,
    rawResultCount: 0,
  },
};

const faults: Readonly<Record<Failure['fault'], { reasonCode: ReasonCode; userMessage: string }>> = {
  timeout: { reasonCode: 'transport.timeout', userMessage: 'The tool did not answer before its deadline.' },
  no_response: { reasonCode: 'transport.no_response', userMessage: 'The provider of the tool could not be reached.' },
  execution_failed: { reasonCode: 'transport.execution_failed', userMessage: 'The tool could not be run.' },
  provider_error: { reasonCode: 'provider.error', userMessage: 'The provider reported an error.' },
  http_error: { reasonCode: 'provider.http_error', userMessage: 'The provider answered with an HTTP error.' },
  rate_limited: { reasonCode: 'provider.rate_limited', userMessage: 'The provider is limiting calls. Retry later.' },
  auth_or_permission: {
    reasonCode: 'provider.auth_or_permission',
    userMessage: 'The provider refused the credentials of this deployment.',
  },
};

function classifyFailure(answer: Failure): Classified {
  const { reasonCode, userMessage } = faults[answer.fault];
  const transportSuccess = reasonCode.startsWith('provider.');
  const classified = failed(transportSuccess ? 'provider_failure' : 'transport_failure', reasonCode, userMessage, {
    transportSuccess,
    retryable: answer.retryable,
    ...(answer.statusCode === undefined ? {} : { providerStatusCode: answer.statusCode }),
    ...(answer.callerFault === undefined ? {} : { callerFault: answer.callerFault }),
  });
  const text = answer.message.trim().slice(0, MAX_PROVIDER_MESSAGE_LENGTH);
  return text === '' ? classified : { ...classified, errorMessage: text };
}

function failed(
  outcome: Outcome,
  reasonCode: ReasonCode,
  userMessage: string,
  rest: Pick<ExecutionOutcome, 'transportSuccess' | 'retryable' | 'providerStatusCode' | 'callerFault'>,
): Classified {
  return {
    success: false,
    errorMessage: userMessage,
    outcome: {
      outcome,
      reasonCode,
      providerSuccess: false,
      billableSuccess: false,
      resultValid: false,
      userMessage,
      ...rest,
    },
  };
}

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

/** What the caller hears when the end of a dispatched call could not be recorded. */
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
