import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { internalHeaders } from '@capability-router/contracts';
import { AppError, errorRegistry, newExecutionId } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import { UpstreamTimeout, UpstreamUnavailable } from '@capability-router/service-kit';
import type { ErrorAnswer, ServiceClients, ServiceResponse } from '@capability-router/service-kit';
import { callerIsGone, forget } from '../admission/caller-gone.js';
import { inspectFailureAnswer, unusableAnswer, upstreamFailureAnswer } from '../errors/upstream-failure.js';
import type { GatewayMetrics } from '../metrics.js';
import type { GatewayRoute } from '../routes/gateway-route.js';
import { callerHeaders, upstreamHeaders } from './headers.js';

export interface ForwardParts {
  readonly clients: ServiceClients;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: GatewayMetrics;
  readonly callTimeoutMs: number;
  readonly upstreamTimeoutMs: number;
  /** Bytes of a body that is streamed. */
  readonly streamedBodyLimitBytes: number;
  readonly streamIdleTimeoutMs: number;
}

/** The handler of a route: one request to its service, once, and its answer back. */
export function forwardTo(route: GatewayRoute, parts: ForwardParts) {
  const client = parts.clients[route.service];
  const timeoutMs = route.executes === true ? parts.callTimeoutMs : parts.upstreamTimeoutMs;
  const { method } = route;
  if (method === 'HEAD') throw new Error(`${method} ${route.path} is a route that streams`);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const startedMs = parts.clock.nowMs();
    const executionId = route.executes === true ? newExecutionId(startedMs) : undefined;
    if (callerIsGone(request)) return forget(reply);
    const body = bodyOf(route, request);
    const fail = (answer: ErrorAnswer): FastifyReply =>
      reply.code(answer.status).headers(answer.headers).send(answer.body);
    let response: ServiceResponse;
    try {
      // Not tied to the caller's connection: a caller who hangs up does not cancel what was dispatched.
      response = await client.request({
        method,
        path: upstreamPathOf(route, request.url),
        headers: upstreamHeaders(request.headers, { requestId: request.id, executionId, clientAddress: request.ip }),
        timeoutMs,
        ...(route.repeatable === undefined ? {} : { repeatable: route.repeatable }),
        ...(body === undefined ? {} : { body }),
        ...(request.authenticated === undefined ? {} : { assertion: request.authenticated.assertion }),
      });
    } catch (error) {
      return fail(noAnswer(route, parts, { error, request, startedMs, executionId }));
    }
    if (isNotBegun(response)) {
      const error = new UpstreamUnavailable(route.service, false, new Error('no replica is ready'));
      return fail(noAnswer(route, parts, { error, request, startedMs, executionId }));
    }
    if (!isUsable(response.status)) {
      return fail(notUsable(route, parts, { status: response.status, request, startedMs, executionId }));
    }
    const failure = route.shape === 'inspect' ? inspectFailureAnswer(response.status, response.body) : undefined;
    if (failure !== undefined) return fail(failure);
    return reply.code(response.status).headers(callerHeaders(response.headers)).send(response.body);
  };
}

interface Attempt {
  readonly request: FastifyRequest;
  readonly startedMs: number;
  readonly executionId: string | undefined;
}

/** Counts and logs it. Throws an error that is not the upstream's. */
export function noAnswer(
  route: GatewayRoute,
  parts: ForwardParts,
  { error, request, startedMs, executionId }: Attempt & { readonly error: unknown },
): ErrorAnswer {
  if (!(error instanceof UpstreamUnavailable) && !(error instanceof UpstreamTimeout)) throw error;
  const kind = error instanceof UpstreamTimeout ? 'timeout' : 'unavailable';
  const { requestWritten } = error;
  parts.metrics.upstreamFailures.inc({ service: route.service, kind, written: String(requestWritten) });
  parts.logger.error({ err: error, requestId: request.id, executionId, requestWritten }, 'an upstream gave no answer');
  const elapsedMs = parts.clock.nowMs() - startedMs;
  return upstreamFailureAnswer(route, { kind, requestWritten, elapsedMs }, executionId);
}

/** Counts and logs it. */
export function notUsable(
  route: GatewayRoute,
  parts: ForwardParts,
  { status, request, startedMs, executionId }: Attempt & { readonly status: number },
): ErrorAnswer {
  parts.metrics.upstreamFailures.inc({ service: route.service, kind: 'unusable', written: 'true' });
  parts.logger.error({ requestId: request.id, executionId, status }, 'an upstream answer was not usable');
  return unusableAnswer(route, { status, elapsedMs: parts.clock.nowMs() - startedMs }, executionId);
}

/** No replica of the service was ready for it. */
const isNotBegun = ({ status, headers }: ServiceResponse): boolean =>
  status === errorRegistry.service_unavailable.httpStatus && headers[internalHeaders.availability] === 'not_ready';

/** Redirects are never passed on; a 401 means that the service did not believe the gateway, which is no fault of the caller. */
export const isUsable = (status: number): boolean => status >= 200 && status !== 401 && (status < 300 || status >= 400);

function bodyOf(route: GatewayRoute, request: FastifyRequest): Buffer | undefined {
  if (route.method === 'GET') return undefined;
  const { body } = request;
  if (Buffer.isBuffer(body) && body.length > 0) return body;
  if (route.bodyOptional === true) return undefined;
  throw new AppError('invalid_json', 'The request has no body. Send a JSON object.');
}

function upstreamPathOf(route: GatewayRoute, url: string): string {
  if (route.upstreamPath === undefined) return url;
  const query = url.indexOf('?');
  return query === -1 ? route.upstreamPath : `${route.upstreamPath}${url.slice(query)}`;
}
