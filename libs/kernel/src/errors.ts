/** Who must act: the caller, whoever runs the deployment, or we. */
export type ErrorAudience = 'caller' | 'operator' | 'bug';

interface ErrorDefinition {
  readonly httpStatus: number;
  readonly audience: ErrorAudience;
  /** May the same request succeed later without a change? */
  readonly retryable: boolean;
  /** The message for the caller, which ends in what to do next. */
  readonly message: string;
  /** The answer carries the code, because clients decide by it what to do. */
  readonly told?: true;
}

/** The one registry of error codes. Codes are stable; messages may change. */
export const errorRegistry = {
  invalid_json: {
    httpStatus: 400,
    audience: 'caller',
    retryable: false,
    message: 'The request body is not valid JSON. Send a JSON object.',
  },
  invalid_query: { httpStatus: 400, audience: 'caller', retryable: false, message: 'A query parameter is invalid.' },
  invalid_api_key: { httpStatus: 401, audience: 'caller', retryable: false, message: 'Invalid API key' },
  insufficient_credits: {
    httpStatus: 402,
    audience: 'caller',
    retryable: false,
    message: 'Insufficient credits. Add credits or choose a cheaper tool.',
  },
  budget_exceeded: {
    httpStatus: 402,
    audience: 'caller',
    retryable: false,
    message: 'The call could cost more than its budget allows.',
  },
  payment_required: {
    httpStatus: 402,
    audience: 'caller',
    retryable: false,
    told: true,
    message: 'The account is blocked for non-payment. Reads go on; have the operator unblock it to spend credits.',
  },
  forbidden: {
    httpStatus: 403,
    audience: 'caller',
    retryable: false,
    message: 'This credential does not permit the request.',
  },
  insufficient_scope: {
    httpStatus: 403,
    audience: 'caller',
    retryable: false,
    told: true,
    message: 'This key lacks the scope that the request needs. Use a key that has it.',
  },
  delegation_constraint: {
    httpStatus: 403,
    audience: 'caller',
    retryable: false,
    told: true,
    message: 'The delegation token does not permit this request. Ask whoever gave it for another.',
  },
  not_found: { httpStatus: 404, audience: 'caller', retryable: false, message: 'Not found.' },
  account_not_active: {
    httpStatus: 404,
    audience: 'caller',
    retryable: false,
    message: 'The account was closed while the request was under way; nothing was run. Use a key of another account.',
    told: true,
  },
  execution_pending: {
    httpStatus: 404,
    audience: 'caller',
    retryable: true,
    message: 'No execution of this account has this id yet, and one could still begin. Ask again after Retry-After.',
    told: true,
  },
  execution_never_ran: {
    httpStatus: 404,
    audience: 'caller',
    retryable: false,
    message: 'No execution of this account has this id, and none can begin any more. The call may be repeated.',
    told: true,
  },
  method_not_allowed: {
    httpStatus: 405,
    audience: 'caller',
    retryable: false,
    message: 'This method is not allowed on this path.',
  },
  conflict: {
    httpStatus: 409,
    audience: 'caller',
    retryable: false,
    message: 'The request conflicts with an earlier one.',
  },
  body_too_large: {
    httpStatus: 413,
    audience: 'caller',
    retryable: false,
    message: 'The request body is too large. Send fewer bytes.',
  },
  unsupported_media_type: {
    httpStatus: 415,
    audience: 'caller',
    retryable: false,
    message: 'Send the body as application/json.',
  },
  validation_error: { httpStatus: 422, audience: 'caller', retryable: false, message: 'The request is invalid.' },
  rate_limited: {
    httpStatus: 429,
    audience: 'caller',
    retryable: true,
    message: 'Rate limit exceeded. Wait for the number of seconds in Retry-After.',
  },
  internal_error: {
    httpStatus: 500,
    audience: 'bug',
    retryable: false,
    message: 'Internal error. Supply the X-Request-Id for support.',
  },
  upstream_unavailable: {
    httpStatus: 502,
    audience: 'operator',
    retryable: false,
    message: 'The upstream service is unavailable.',
  },
  service_unavailable: {
    httpStatus: 503,
    audience: 'operator',
    retryable: true,
    message: 'The service is temporarily unavailable. Retry later.',
  },
  not_dispatched: {
    httpStatus: 503,
    audience: 'operator',
    retryable: true,
    message:
      'The call was not run, because a part of the service is temporarily unavailable. Repeat it after Retry-After.',
    told: true,
  },
  upstream_timeout: {
    httpStatus: 504,
    audience: 'operator',
    retryable: false,
    message: 'The request timed out at the upstream service.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorRegistry;

/** Does the answer carry the code? */
export const isToldCode = (code: ErrorCode): boolean => 'told' in errorRegistry[code];

/** A window of requests in which no room is left. */
export interface FullWindow {
  /** Name of the limit, as callers are told it: letters, digits, `_` and `-`. */
  readonly policy: string;
  /** Requests that it has room for. */
  readonly limit: number;
  readonly endsAtMs: number;
  /** How long it is; absent where that differs. */
  readonly windowSeconds?: number;
}

/** An expected refusal that ends a request: the edge turns it into the answer of its route. */
export class AppError extends Error {
  readonly httpStatus: number;
  readonly retryable: boolean;

  constructor(
    readonly code: ErrorCode,
    message: string = errorRegistry[code].message,
    readonly options: {
      readonly details?: readonly unknown[];
      readonly data?: unknown;
      readonly retryAfterSeconds?: number;
      /** The scope that is lacking; of `insufficient_scope` alone. */
      readonly scope?: string;
      /** The constraint that the request breaks; of `delegation_constraint` alone. */
      readonly constraint?: string;
      /** The window that is full; of `rate_limited` alone. */
      readonly rateLimit?: FullWindow;
      /** This replica has begun nothing, and another one may be able to: whoever asked may ask it, whatever the request. */
      readonly notBegun?: true;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.httpStatus = errorRegistry[code].httpStatus;
    this.retryable = errorRegistry[code].retryable;
  }
}
