/** This file is long because each code stands in it once, with everything that is told of it. */

/** Who must act: the caller, whoever runs the deployment, or we. */
export type ErrorAudience = 'caller' | 'operator' | 'bug';

interface ErrorDefinition {
  readonly httpStatus: number;
  /** Where routes of another kind refuse with another status. */
  readonly otherStatuses?: readonly number[];
  readonly audience: ErrorAudience;
  /** May the same request succeed later without a change? */
  readonly retryable: boolean;
  /** The message for the caller where the route has none of its own. */
  readonly message: string;
  /** One sentence: what to do next, whichever route it was. `X-Request-Id` in it is followed by the id in an answer. */
  readonly nextStep: string;
}

/** The one registry of error codes. Codes are stable; messages and next steps may change. */
export const errorRegistry = {
  invalid_json: {
    httpStatus: 400,
    audience: 'caller',
    retryable: false,
    message: 'The request body is not valid JSON. Send a JSON object.',
    nextStep: 'Send one JSON object as the body.',
  },
  invalid_query: {
    httpStatus: 400,
    audience: 'caller',
    retryable: false,
    message: 'A query parameter is invalid.',
    nextStep: 'Correct the query parameter that the message names.',
  },
  invalid_request: {
    httpStatus: 400,
    audience: 'caller',
    retryable: false,
    message: 'The request cannot be read.',
    nextStep: 'Send the request as the message says.',
  },
  invalid_api_key: {
    httpStatus: 401,
    audience: 'caller',
    retryable: false,
    message: 'Invalid API key',
    nextStep: 'Send a valid key as "Authorization: Bearer <API key>".',
  },
  insufficient_credits: {
    httpStatus: 402,
    audience: 'caller',
    retryable: false,
    message: 'Insufficient credits. Add credits or choose a cheaper tool.',
    nextStep: 'Add credits, or ask for what costs less.',
  },
  budget_exceeded: {
    httpStatus: 402,
    otherStatuses: [422],
    audience: 'caller',
    retryable: false,
    message: 'The call could cost more than its budget allows.',
    nextStep: 'Raise the budget that is named, or ask for what costs less.',
  },
  payment_required: {
    httpStatus: 402,
    audience: 'caller',
    retryable: false,
    message: 'The account is blocked for non-payment. Reads go on; have the operator unblock it to spend credits.',
    nextStep: 'Have the operator unblock the account.',
  },
  forbidden: {
    httpStatus: 403,
    audience: 'caller',
    retryable: false,
    message: 'This credential does not permit the request.',
    nextStep: 'Use a credential that permits it, as the message says.',
  },
  insufficient_scope: {
    httpStatus: 403,
    audience: 'caller',
    retryable: false,
    message: 'This key lacks the scope that the request needs. Use a key that has it.',
    nextStep: 'Use a key that has the scope.',
  },
  delegation_constraint: {
    httpStatus: 403,
    audience: 'caller',
    retryable: false,
    message: 'The delegation token does not permit this request. Ask whoever gave it for another.',
    nextStep: 'Keep to what the delegation token permits, or ask for another.',
  },
  not_found: {
    httpStatus: 404,
    audience: 'caller',
    retryable: false,
    message: 'Not found.',
    nextStep: 'Check the path and the id in it: use ids exactly as an answer gave them.',
  },
  account_not_active: {
    httpStatus: 404,
    audience: 'caller',
    retryable: false,
    message: 'The account was closed while the request was under way; nothing was run. Use a key of another account.',
    nextStep: 'Use a key of another account.',
  },
  execution_pending: {
    httpStatus: 404,
    audience: 'caller',
    retryable: true,
    message: 'No execution of this account has this id yet, and one could still begin. Ask again after Retry-After.',
    nextStep: 'Ask again after retry_after_seconds.',
  },
  execution_never_ran: {
    httpStatus: 404,
    audience: 'caller',
    retryable: false,
    message: 'No execution of this account has this id, and none can begin any more. The call may be repeated.',
    nextStep: 'Repeat the call.',
  },
  method_not_allowed: {
    httpStatus: 405,
    audience: 'caller',
    retryable: false,
    message: 'This method is not allowed on this path.',
    nextStep: 'Use a method of the header Allow.',
  },
  not_acceptable: {
    httpStatus: 406,
    audience: 'caller',
    retryable: false,
    message: 'The answer cannot have the form that Accept asks for.',
    nextStep: 'Accept application/json.',
  },
  request_timeout: {
    httpStatus: 408,
    audience: 'caller',
    retryable: true,
    message: 'The request did not come in time. Send the whole request at once.',
    nextStep: 'Send the same request again.',
  },
  conflict: {
    httpStatus: 409,
    audience: 'caller',
    retryable: false,
    message: 'The request conflicts with an earlier one.',
    nextStep: 'Look at the present state, then change the request.',
  },
  idempotency_key_in_use: {
    httpStatus: 409,
    audience: 'caller',
    retryable: true,
    message: 'The call with this Idempotency-Key is still running. Send the same request again after Retry-After.',
    nextStep: 'Send the same request with the same key again after retry_after_seconds.',
  },
  link_expired: {
    httpStatus: 410,
    audience: 'caller',
    retryable: false,
    message: 'The link has expired.',
    nextStep: 'Call the tool again for a new link.',
  },
  body_too_large: {
    httpStatus: 413,
    audience: 'caller',
    retryable: false,
    message: 'The request body is too large. Send fewer bytes.',
    nextStep: 'Send fewer bytes.',
  },
  uri_too_long: {
    httpStatus: 414,
    audience: 'caller',
    retryable: false,
    message: 'A part of the path is too long.',
    nextStep: 'Send a shorter path.',
  },
  unsupported_media_type: {
    httpStatus: 415,
    audience: 'caller',
    retryable: false,
    message: 'Send the body as application/json.',
    nextStep: 'Send the body in the form that the message names.',
  },
  range_not_satisfiable: {
    httpStatus: 416,
    audience: 'caller',
    retryable: false,
    message: 'The part that was asked for is not there.',
    nextStep: 'Ask for a range within the size that Content-Range names.',
  },
  expectation_failed: {
    httpStatus: 417,
    audience: 'caller',
    retryable: false,
    message: 'The expectation of the Expect header cannot be met. Send 100-continue, or leave the header out.',
    nextStep: 'Leave the header Expect out.',
  },
  validation_error: {
    httpStatus: 422,
    audience: 'caller',
    retryable: false,
    message: 'The request is invalid.',
    nextStep: 'Correct what the message and the details name, and send it again.',
  },
  unknown_tool: {
    httpStatus: 422,
    otherStatuses: [404],
    audience: 'caller',
    retryable: false,
    message: 'There is no such tool. Search again with POST /search and use a tool_id exactly as returned.',
    nextStep: 'Find a tool with POST /search and use its tool_id exactly as returned.',
  },
  unclear_capability: {
    httpStatus: 422,
    audience: 'caller',
    retryable: false,
    message: 'The query does not say surely enough which capability is wanted.',
    nextStep: 'Send the capability_id that is meant, or say it in other words.',
  },
  no_contract: {
    httpStatus: 422,
    audience: 'caller',
    retryable: false,
    message: 'The capability has no contract yet, so no tool can be chosen for it.',
    nextStep: 'Find a tool with POST /search and run it with POST /tools/execute.',
  },
  rate_limited: {
    httpStatus: 429,
    audience: 'caller',
    retryable: true,
    message: 'Rate limit exceeded. Wait for the number of seconds in Retry-After.',
    nextStep: 'Wait for retry_after_seconds, then send the same request.',
  },
  no_tries_left: {
    httpStatus: 429,
    audience: 'caller',
    retryable: false,
    message: 'This code has been tried too often and works no more. Ask for a new one with POST /agent/claim.',
    nextStep: 'Wait for retry_after_seconds, ask for a new code with POST /agent/claim, and send that one.',
  },
  headers_too_large: {
    httpStatus: 431,
    audience: 'caller',
    retryable: false,
    message: 'The URL and the headers are too large.',
    nextStep: 'Send a shorter URL, and fewer or shorter headers.',
  },
  internal_error: {
    httpStatus: 500,
    audience: 'bug',
    retryable: false,
    message: 'Internal error. Supply the X-Request-Id for support.',
    nextStep: 'Give whoever runs the service the X-Request-Id.',
  },
  upstream_unavailable: {
    httpStatus: 502,
    audience: 'operator',
    retryable: false,
    message: 'The upstream service is unavailable.',
    nextStep: 'Look whether it took effect before you repeat it; of a call, usage history tells.',
  },
  service_unavailable: {
    httpStatus: 503,
    audience: 'operator',
    retryable: true,
    message: 'The service is temporarily unavailable. Retry later.',
    nextStep: 'Send the same request again after retry_after_seconds.',
  },
  not_dispatched: {
    httpStatus: 503,
    audience: 'operator',
    retryable: true,
    message:
      'The call was not run, because a part of the service is temporarily unavailable. Repeat it after Retry-After.',
    nextStep: 'Repeat the call after retry_after_seconds.',
  },
  upstream_timeout: {
    httpStatus: 504,
    audience: 'operator',
    retryable: false,
    message: 'The request timed out at the upstream service.',
    nextStep: 'Look whether it took effect before you repeat it; of a call, usage history tells.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorRegistry;

/** Codes whose refusals are of one kind: what is told of a status alone cannot mean one of them. */
const special: ReadonlySet<ErrorCode> = new Set([
  'invalid_json',
  'invalid_query',
  'insufficient_credits',
  'budget_exceeded',
  'insufficient_scope',
  'delegation_constraint',
  'account_not_active',
  'execution_pending',
  'execution_never_ran',
  'idempotency_key_in_use',
  'unknown_tool',
  'unclear_capability',
  'no_contract',
  'no_tries_left',
  'not_dispatched',
]);

const definitions = Object.entries(errorRegistry) as readonly [ErrorCode, ErrorDefinition][];
const generalCodes: ReadonlyMap<number, ErrorCode> = new Map(
  definitions.filter(([code]) => !special.has(code)).map(([code, { httpStatus }]) => [httpStatus, code]),
);

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorRegistry, value);

/** The code of an answer that tells none. */
export const codeOfStatus = (status: number): ErrorCode =>
  generalCodes.get(status) ?? (status < 500 ? 'invalid_request' : 'internal_error');

export const errorDefinition = (code: ErrorCode): ErrorDefinition => errorRegistry[code];
