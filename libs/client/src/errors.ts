/** Facts of a request that came to no success. */
export interface RequestFacts {
  readonly method: string;
  /** As the interface describes it, e.g. `/tools/executions/{execution_id}`. */
  readonly path: string;
  /** How often it was sent. */
  readonly attempts: number;
  /** With which it may be sent again, where it had one. */
  readonly idempotencyKey: string | undefined;
}

/** Every error of this package but those of wrong arguments, and the reason of a signal. */
export class RouterError extends Error {
  override readonly name: string = 'RouterError';
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;

  constructor(message: string, facts: RequestFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.method = facts.method;
    this.path = facts.path;
    this.attempts = facts.attempts;
    this.idempotencyKey = facts.idempotencyKey;
  }
}

/** The router answered, with a status that is no success. */
export class RefusedError extends RouterError {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** The code of the answer, where it has one: `payment_required`, `not_dispatched`, …; of OAuth its `error`. */
  readonly code: string | undefined;
  /** Whoever runs the deployment finds the request by it. */
  readonly requestId: string | undefined;
  /** After which a repetition may help, where the router says so. */
  readonly retryAfterSeconds: number | undefined;
  /** The body: the object of JSON, or a text where something else than the router answered. */
  readonly answer: unknown;

  constructor(response: Response, answer: unknown, retryAfterMs: number | undefined, facts: RequestFacts) {
    const { status } = response;
    const said = textIn(answer, 'error_message') ?? textIn(answer, 'message') ?? textIn(answer, 'error_description');
    super(`${facts.method} ${facts.path}: ${status} ${said ?? 'the request was refused'}`, facts);
    this.status = status;
    this.code = textIn(answer, 'code') ?? (facts.path.startsWith('/oauth/') ? textIn(answer, 'error') : undefined);
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000);
    this.answer = answer;
  }
}

/**
 * There is no answer, or none that is the router's: what was asked for may have been done. A Call or a query that had an idempotency key is
 * answered with what became of it when it is sent again with the same one.
 */
export class NoAnswerError extends RouterError {
  override readonly name = 'NoAnswerError';
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, facts: RequestFacts, cause?: unknown) {
    const what = { lost: 'the connection was lost', timed_out: 'it timed out', unusable: 'what came is no answer' };
    const why = reason === 'timed_out' ? '' : `: ${rootOf(cause)}`;
    super(`${facts.method} ${facts.path}: ${what[reason]}${why}`, facts, cause);
    this.reason = reason;
  }
}

export type NoAnswerReason =
  /** The connection was refused, or broke before the answer was whole. */
  | 'lost'
  /** The answer was not there in time. */
  | 'timed_out'
  /** A success came, and its body is no JSON. */
  | 'unusable';

/** A call is not settled in the time that was given for it; it will be. */
export class NotSettledError extends Error {
  override readonly name = 'NotSettledError';

  /** `hasEvent`: the call has its usage event, which is there a moment after the call itself. */
  constructor(
    readonly executionId: string,
    hasEvent = true,
  ) {
    super(
      hasEvent
        ? `${executionId} is not settled yet: ask again, its charge is not lost`
        : `${executionId} has no usage event of this account: look whether the id is right, or ask again`,
    );
  }
}

function textIn(answer: unknown, member: string): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const value = (answer as Readonly<Record<string, unknown>>)[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `fetch` says no more than "fetch failed"; why is in its cause. */
function rootOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.cause instanceof Error) return rootOf(error.cause);
  const { code } = error as { readonly code?: unknown };
  return error.message !== '' ? error.message : String(code);
}
