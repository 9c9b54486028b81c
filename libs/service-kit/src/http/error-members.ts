import { codeOfStatus, errorDefinition, isErrorCode } from '@capability-router/kernel';

type Members = Readonly<Record<string, unknown>>;

export interface ToldError {
  readonly status: number;
  /** The body as it is told so far: its `code` says which error it is, and whatever it tells stays. */
  readonly body: Members;
  /** The header Retry-After, where the answer has it. */
  readonly retryAfter?: unknown;
  readonly requestId: string;
}

/**
 * The members that every error has beside what its route tells: a code of the registry, and what that means for whoever asked.
 * An answer without a code has the one that its status stands for.
 */
export function errorMembers({ status, body, retryAfter, requestId }: ToldError): Members {
  const { code: told } = body;
  const code = isErrorCode(told) ? told : codeOfStatus(status);
  const { retryable, nextStep } = errorDefinition(code);
  const seconds = Number(retryAfter ?? Number.NaN);
  return {
    ...(told === undefined ? { code } : {}),
    ...(body['retryable'] === undefined ? { retryable } : {}),
    ...(Number.isInteger(seconds) ? { retry_after_seconds: seconds } : {}),
    ...(body['next_step'] === undefined ? { next_step: withRequestId(nextStep, requestId) } : {}),
  };
}

/** Whoever reads bodies alone does not see the header. */
const withRequestId = (nextStep: string, requestId: string): string =>
  nextStep.replace('X-Request-Id', () => `X-Request-Id ${requestId}`);
