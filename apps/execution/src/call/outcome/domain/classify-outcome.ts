import { isJsonObject, type JsonValue } from '@capability-router/kernel';
import type { ExecutionOutcome, Outcome, PriceRule, ReasonCode } from '@capability-router/contracts';
import type { DispatchedAnswer, ResultVerdict, Unselected } from '@capability-router/provider-kit';
import { isMeasurable, rowsAt } from '@capability-router/tool-calls';
import { reasonOfFault } from './reason-of-fault.js';

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

/** 4xx that say nothing of what was done: a time that was up, a conflict with what an earlier request may have done, a client that left. */
const inconclusiveStatuses: readonly number[] = [408, 409, 499];

/**
 * Says whether the provider may have done what it was asked for: all but a refusal of its own leaves that open. A 2xx whose result is
 * empty or unusable says rather that it was done, and a 5xx says no more than that its answer was lost.
 */
export function isUncertain({ outcome }: Classified): boolean {
  const { reasonCode, providerStatusCode: status, callerFault } = outcome;
  if (!reasonCode.startsWith('provider.')) return true;
  if (status === undefined) return callerFault !== true;
  return status < 400 || status >= 500 || inconclusiveStatuses.includes(status);
}

/** The judgement of the tool's own rules on a result, or the reason why they could not be evaluated. */
export type Verdict = ResultVerdict | Unselected;

/** A tool that has no rules says this of every result. */
const unjudged: ResultVerdict = { empty: false, partial: false };

/**
 * Decides what a provider's answer is worth: failed, empty and invalid results are never charged. `verdict`: what the tool's own
 * rules say of it.
 */
export function classifyAnswer(answer: DispatchedAnswer, rule: PriceRule, verdict: Verdict = unjudged): Classified {
  if (answer.kind === 'failed') return classifyFailure(answer);
  const { metering } = rule;
  const rows = metering.kind === 'result_rows' ? rowsAt(answer.data, metering.path) : undefined;
  if (isEmptyResult(answer.data) || rows?.length === 0 || (typeof verdict !== 'string' && verdict.empty))
    return emptyResult;
  // A result that cannot be told apart from an empty one is not charged.
  if (typeof verdict === 'string') return undecided[verdict];
  if (verdict.misfit !== undefined) return misfitOf(verdict.misfit);
  if (!isMeasurable(metering, answer.data)) {
    return failed('provider_failure', 'provider.error', `${unexpectedShape}.`, fromProvider);
  }
  const counts = rows === undefined ? {} : { validResultCount: rows.length, rawResultCount: rows.length };
  return {
    success: true,
    outcome: {
      ...(verdict.partial ? partial : complete),
      transportSuccess: true,
      providerSuccess: true,
      billableSuccess: true,
      resultValid: true,
      retryable: false,
      ...counts,
    },
  };
}

const complete = {
  outcome: 'success',
  reasonCode: 'result.valid',
  userMessage: 'The tool returned a valid result.',
} as const;

/** A partial result is usable, and billed by what is there. */
const partial = {
  outcome: 'partial_success',
  reasonCode: 'result.partial_success',
  userMessage: 'The tool returned a part of the result. The bill counts that part only.',
} as const;

const unexpectedShape = 'The tool answered in an unexpected shape';
const fromProvider = { transportSuccess: true, retryable: false } as const;
const byOurFault = { transportSuccess: true, retryable: true, ours: true } as const;

/** A result of another shape than was promised. */
export function misfitOf(misfit: string): Classified {
  const shapeless = failed('provider_failure', 'provider.error', `${unexpectedShape}.`, fromProvider);
  return { ...shapeless, errorMessage: `${unexpectedShape}: ${misfit}` };
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

const userMessages: Readonly<Record<Failure['fault'], string>> = {
  timeout: 'The tool did not answer before its deadline.',
  no_response: 'No complete answer came from the provider of the tool.',
  execution_failed: 'The tool could not be run.',
  provider_error: 'The provider reported an error.',
  http_error: 'The provider answered with an HTTP error.',
  rate_limited: 'The provider is limiting calls. Retry later.',
  auth_or_permission: 'The provider refused the credentials of this deployment.',
};

function classifyFailure(answer: Failure): Classified {
  const [reasonCode, userMessage] = [reasonOfFault[answer.fault], userMessages[answer.fault]];
  const transportSuccess = reasonCode.startsWith('provider.');
  const classified = failed(transportSuccess ? 'provider_failure' : 'transport_failure', reasonCode, userMessage, {
    transportSuccess,
    retryable: answer.retryable,
    ...(answer.statusCode === undefined ? {} : { providerStatusCode: answer.statusCode }),
    ...(answer.callerFault === undefined ? {} : { callerFault: answer.callerFault }),
    ...(answer.ours === undefined ? {} : { ours: answer.ours }),
  });
  const text = answer.message.trim().slice(0, MAX_PROVIDER_MESSAGE_LENGTH);
  return text === '' ? classified : { ...classified, errorMessage: text };
}

function failed(
  outcome: Outcome,
  reasonCode: ReasonCode,
  userMessage: string,
  rest: Pick<ExecutionOutcome, 'transportSuccess' | 'retryable' | 'providerStatusCode' | 'callerFault' | 'ours'>,
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

/** The tool's rules about its results could not be evaluated. */
const undecided: Readonly<Record<Unselected, Classified>> = {
  limits: failed(
    'transport_failure',
    'transport.execution_failed',
    'The tool answered, but whether its result is usable could not be decided in time. The call is not charged.',
    fromProvider,
  ),
  busy: failed(
    'transport_failure',
    'transport.execution_failed',
    'The tool answered, but this server is too busy to decide whether its result is usable; the fault is ours. The call is not charged. Retry later.',
    byOurFault,
  ),
};

/** The result could not be mapped, for a reason that is not its own. */
export const unmapped: Classified = failed(
  'transport_failure',
  'transport.execution_failed',
  'The tool answered, but this server is too busy to map its result; the fault is ours. The call is not charged. Retry later.',
  byOurFault,
);
