import { HttpException } from '@nestjs/common';
import { internalHeaders } from '@capability-router/contracts';
import { AppError, codeOfStatus, errorRegistry, type ErrorCode, type FullWindow } from '@capability-router/kernel';
import type { Availability } from './availability.js';
import { windowHeaders } from './window-headers.js';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** PublicApiError: `status`, `message`, `code`, and what these add. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Application code of an invalid query of audit and ledger reads. */
const INVALID_QUERY_CODE = -7;
/** Statuses that say that the same request may succeed later: each tells after how many seconds. */
const laterStatuses: ReadonlySet<number> = new Set([429, 503]);
/** Where the error does not say. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** Errors of the HTTP server that have an entry in the registry. */
const serverErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_NOT_FOUND: 'not_found',
};

const SLASH_AT_THE_END =
  'There is nothing at this path. Send the request to the same path without the slash at its end.';

/** A path that is asked for, and whether it is known in another form. */
export interface PathAsked {
  /** The methods that it has; they turn an unknown route into a 405. */
  readonly allowedMethods: readonly string[];
  /** It would be there without the slash at its end. */
  readonly existsWithoutSlash: boolean;
}

/** Decides what a caller is told about an error. Anything unexpected becomes a 500 that says nothing of its cause. */
export function errorAnswerOf(error: unknown, asked?: PathAsked): ErrorAnswer {
  if (error instanceof AppError) return answerOfAppError(error);
  if (isNotFound(error) && asked !== undefined) {
    const { allowedMethods, existsWithoutSlash } = asked;
    if (allowedMethods.length > 0) {
      return { ...answerOfAppError(new AppError('method_not_allowed')), headers: { allow: allowedMethods.join(', ') } };
    }
    if (existsWithoutSlash) return answerOfAppError(new AppError('not_found', SLASH_AT_THE_END));
  }
  const code = codeOf(error);
  if (code !== undefined) return answerOfAppError(new AppError(code));
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500) {
    const headers = waitHeaders(status, undefined);
    return { status, headers, body: { status: 'failure', message: messageOf(error), code: codeOfStatus(status) } };
  }
  return answerOfAppError(new AppError('internal_error'));
}

function answerOfAppError(error: AppError): ErrorAnswer {
  const { details, data, nextStep, retryAfterSeconds, rateLimit, scope, constraint, notBegun, credentialEnded } =
    error.options;
  const body: Record<string, unknown> = { status: 'failure', message: error.message };
  if (error.httpStatus === errorRegistry.rate_limited.httpStatus)
    Object.assign(body, { status_code: error.httpStatus, data: null });
  if (error.code === 'invalid_query') Object.assign(body, { status_code: INVALID_QUERY_CODE, data: null });
  body['code'] = error.code;
  if (nextStep !== undefined) body['next_step'] = nextStep;
  if (scope !== undefined) body['scope'] = scope;
  if (constraint !== undefined) body['constraint'] = constraint;
  if (details !== undefined) body['detail'] = details;
  if (data !== undefined) body['data'] = data;
  return {
    status: error.httpStatus,
    headers: {
      ...waitHeaders(error.httpStatus, retryAfterSeconds),
      ...(rateLimit === undefined ? {} : fullWindowHeaders(rateLimit, retryAfterSeconds)),
      ...(credentialEnded === undefined ? {} : { [internalHeaders.credential]: 'ended' }),
      ...(notBegun === undefined ? {} : { [internalHeaders.availability]: 'not_ready' satisfies Availability }),
    },
    body,
  };
}

function waitHeaders(status: number, told: number | undefined): Record<string, string> {
  const seconds = told ?? (laterStatuses.has(status) ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

const fullWindowHeaders = (
  { policy, limit, endsAtMs, windowSeconds }: FullWindow,
  secondsLeft = DEFAULT_RETRY_AFTER_SECONDS,
): Readonly<Record<string, string>> =>
  windowHeaders({
    policy,
    limit,
    remaining: 0,
    endsAtMs,
    secondsLeft,
    ...(windowSeconds === undefined ? {} : { windowSeconds }),
  });

function codeOf(error: unknown): ErrorCode | undefined {
  if (isNotFound(error)) return 'not_found';
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code in serverErrors) return serverErrors[error.code];
  // Fastify's JSON parser marks what it cannot read as a SyntaxError with status 400.
  return error instanceof SyntaxError && statusOf(error) === 400 ? 'invalid_json' : undefined;
}

function isNotFound(error: unknown): boolean {
  return statusOf(error) === errorRegistry.not_found.httpStatus && !(error instanceof AppError);
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'The request is invalid.';
}
