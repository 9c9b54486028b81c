import { AppError, errorRegistry, isJsonObject } from '@capability-router/kernel';
import { errorAnswerOf, type ErrorAnswer } from '@capability-router/service-kit';
import type { ErrorShape, GatewayRoute } from '../routes/gateway-route.js';

export interface UpstreamFailure {
  readonly kind: 'unavailable' | 'timeout';
  /** False proves that the service has not seen the request. */
  readonly requestWritten: boolean;
  /** Milliseconds since the request arrived. */
  readonly elapsedMs: number;
}

const unknownOutcome = 'outcome unknown: read usage history by execution_id';

/**
 * The answer for a caller when a service gave none. A request that may have called a provider is never answered with
 * a status that invites a retry, unless it is certain that the service has not seen it. Inspect never gives a 503.
 */
export function upstreamFailureAnswer(
  route: Pick<GatewayRoute, 'shape' | 'executes'>,
  failure: UpstreamFailure,
  executionId: string | undefined,
): ErrorAnswer {
  if (!failure.requestWritten && route.shape !== 'inspect') return notForwarded(route);
  const status = failure.kind === 'timeout' ? 504 : 502;
  if (route.executes === true && executionId !== undefined) {
    return { status, headers: {}, body: lostExecution(executionId, failure.elapsedMs) };
  }
  return { status, headers: {}, body: failureBody(route.shape, failure.kind) };
}

/** 503: no service has begun on the request. One that could have run something says that it has not. */
export const notForwarded = ({ executes }: Pick<GatewayRoute, 'executes'>): ErrorAnswer =>
  errorAnswerOf(new AppError(executes === true ? 'not_dispatched' : 'service_unavailable'));

/**
 * An answer that must not reach the caller: a redirect, or 401, by which a service refuses the gateway itself. It does so
 * before all else, so a call that is answered so has run nothing.
 */
export function unusableAnswer(
  route: Pick<GatewayRoute, 'shape' | 'executes'>,
  { status, elapsedMs }: { readonly status: number; readonly elapsedMs: number },
  executionId: string | undefined,
): ErrorAnswer {
  if (status === errorRegistry.invalid_api_key.httpStatus && route.executes === true) return notForwarded(route);
  return upstreamFailureAnswer(route, { kind: 'unavailable', requestWritten: true, elapsedMs }, executionId);
}

/**
 * The answer of a service that is overloaded or cut off, in the shape of Inspect; `undefined` for any other answer.
 * Clients retry a 503, and an Inspect must not be retried blindly.
 */
export function inspectFailureAnswer(status: number, body: Buffer): ErrorAnswer | undefined {
  if (status < 502 || status > 504) return undefined;
  const timedOut = status === 504;
  const { message } = errorRegistry[timedOut ? 'upstream_timeout' : 'upstream_unavailable'];
  const told = messageIn(body) ?? message;
  return { status: timedOut ? 504 : 502, headers: {}, body: { error: told, message: told } };
}

function messageIn(body: Buffer): string | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const message = isJsonObject(value) ? value['message'] : undefined;
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}

function failureBody(shape: ErrorShape, kind: UpstreamFailure['kind']): ErrorAnswer['body'] {
  const code = kind === 'timeout' ? 'upstream_timeout' : 'upstream_unavailable';
  const { message } = errorRegistry[code];
  return shape === 'inspect' ? { error: message, message } : { status: 'failure', message };
}

/** Execute shape: the caller can find out by the id what became of the call. */
function lostExecution(executionId: string, elapsedMs: number): ErrorAnswer['body'] {
  return {
    execution_id: executionId,
    success: false,
    result: {},
    message: unknownOutcome,
    error_message: unknownOutcome,
    execution_time: elapsedMs / 1_000,
    elapsed_time_ms: elapsedMs,
    execution_outcome: {
      outcome: 'transport_failure',
      reason_code: 'transport.no_response',
      provider_success: false,
      billable_success: false,
      result_valid: false,
      user_message: unknownOutcome,
    },
  };
}
