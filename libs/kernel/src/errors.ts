import { errorRegistry, type ErrorCode } from './error-registry.js';

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
      /** Instead of the registry's: one of its `otherStatuses`. */
      readonly httpStatus?: number;
      /** One sentence in place of the registry's. */
      readonly nextStep?: string;
      readonly retryAfterSeconds?: number;
      /** The scope that is lacking; of `insufficient_scope` alone. */
      readonly scope?: string;
      /** The constraint that the request breaks; of `delegation_constraint` alone. */
      readonly constraint?: string;
      /** The window that is full; of `rate_limited` alone. */
      readonly rateLimit?: FullWindow;
      /** This replica has begun nothing, and another one may be able to: whoever asked may ask it, whatever the request. */
      readonly notBegun?: true;
      /** The caller's credential has ended since the gateway admitted it; of `invalid_api_key` alone. */
      readonly credentialEnded?: true;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.httpStatus = options.httpStatus ?? errorRegistry[code].httpStatus;
    this.retryable = errorRegistry[code].retryable;
  }
}
