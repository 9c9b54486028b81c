import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { classifyTransport } from '../faults/classify-transport.js';
import { classifyStatus } from '../faults/http-status.js';
import { oneLine } from '../faults/provider-words.js';
import { failure, type ProviderFailure } from '../provider-adapter.js';
import { isGarbage, isOverflow } from './mcp-session.js';

/** Characters of what a server says about its error. */
const MAX_SAID_LENGTH = 300;

export interface McpCircumstances {
  /** The time of the call is up. */
  readonly late: boolean;
  /** The session ended on its own. */
  readonly closed: boolean;
  readonly report: (error: unknown) => void;
  readonly redact: (text: string) => string;
}

/**
 * The one fault that an error of an MCP call is. Codes alone do not tell: servers use -32000 and -32001 for errors of
 * their own, the SDK for a closed connection and a timeout.
 */
export function classifyMcp(error: unknown, { late, closed, report, redact }: McpCircumstances): ProviderFailure {
  if (error instanceof StreamableHTTPError) {
    return (error.code ?? 0) > 0 ? classifyStatus(error.code ?? 0, {}) : unreadable;
  }
  if (isOverflow(error)) return tooLarge;
  if (isGarbage(error)) return unreadable;
  if (!(error instanceof McpError)) return late ? timedOut : classifyTransport(error, report);
  if (late) return timedOut;
  if (closed) return ended;
  const said = redact(oneLine(error.message)).slice(0, MAX_SAID_LENGTH);
  return failure('provider_error', `The provider reported an error. It says: "${said}"`, {
    retryable: false,
    ...(Number(error.code) === Number(ErrorCode.InvalidParams) ? { callerFault: true } : {}),
  });
}

/** Milliseconds by which a timer may be early against the clock that deadlines are measured by. */
const TIMER_SLACK_MS = 10;

export const isLate = (endsAt: number, signal: AbortSignal | undefined): boolean =>
  performance.now() + TIMER_SLACK_MS >= endsAt || signal?.aborted === true;

/** A server that has forgotten the session (RFC: 404; seen: 400) did nothing with the request. */
export const isSessionLost = (error: unknown): boolean =>
  error instanceof StreamableHTTPError && (error.code === 404 || error.code === 400);

export const isUnauthorized = (error: unknown): boolean => error instanceof StreamableHTTPError && error.code === 401;

/** The server answered, with an error: the session is as good as before. */
export const isAnsweredError = (error: unknown): boolean => error instanceof McpError;

const timedOut = failure('timeout', 'The provider did not answer in time.', { retryable: true });
const ended = failure('no_response', 'The connection to the provider ended before its answer was complete.', {
  retryable: true,
});
const tooLarge = failure('provider_error', 'The answer of the provider is too large. Ask for less.', {
  retryable: false,
});
const unreadable = failure('provider_error', 'The provider answered with something that is not readable.', {
  retryable: false,
});
