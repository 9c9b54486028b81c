import { internalHeaders, OAUTH_CLIENT_CHALLENGE } from '@capability-router/contracts';
import { AppError, errorRegistry, newExecutionId, type Clock } from '@capability-router/kernel';
import {
  CLOCK,
  CONFIG,
  describeSpan,
  UpstreamUnavailable,
  type ErrorAnswer,
  type ServiceClients,
  type ServiceResponse,
} from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/gateway-env.js';
import { invalidKeyAnswer } from '../errors/refusal.js';
import { inspectFailureAnswer } from '../errors/upstream-failure.js';
import { callerIsGone, forget } from '../requests/caller-gone.js';
import { keepOutcome } from '../request-log/request-log.js';
import type { GatewayRoute } from '../routes/gateway-route.js';
import { CHALLENGE, CLIENTS } from '../tokens.js';
import { callerHeaders, sentAuthorization, upstreamHeaders } from './headers.js';
import { isUsable, UpstreamFailures } from './upstream-failures.js';

/** Forwards requests whose body and answer are held whole. */
@Injectable()
export class Forwarding {
  constructor(
    @Inject(CLIENTS) private readonly clients: ServiceClients,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(UpstreamFailures) private readonly failures: UpstreamFailures,
    @Inject(CHALLENGE) private readonly challenge: string,
  ) {}

  /** The handler of a route: one request to its service, once, and its answer back. */
  to(route: GatewayRoute) {
    const { clock, failures } = this;
    const client = this.clients[route.service];
    const timeoutMs = route.executes === true ? this.config.callTimeoutMs : this.config.upstreamTimeoutMs;
    const { method } = route;
    if (method === 'HEAD') throw new Error(`${method} ${route.path} is a route that streams`);

    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const startedMs = clock.nowMs();
      const executionId = route.executes === true ? newExecutionId(startedMs) : undefined;
      if (executionId !== undefined) describeSpan({ 'capability_router.execution_id': executionId });
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
          headers: upstreamHeaders(request.headers, {
            requestId: request.id,
            executionId,
            clientAddress: request.ip,
            ...(route.ownAuthorization === true ? { authorization: sentAuthorization(request.raw) } : {}),
          }),
          timeoutMs,
          ...(route.repeatable === undefined ? {} : { repeatable: route.repeatable }),
          ...(body === undefined ? {} : { body }),
          ...(request.authenticated === undefined ? {} : { assertion: request.authenticated.assertion }),
        });
      } catch (error) {
        return fail(failures.noAnswer(route, { error, request, startedMs, executionId }));
      }
      if (isNotBegun(response)) {
        const error = new UpstreamUnavailable(route.service, false, new Error('no replica is ready'));
        return fail(failures.noAnswer(route, { error, request, startedMs, executionId }));
      }
      if (isEnded(response)) return fail(invalidKeyAnswer(route.shape, '', this.challenge));
      if (!isUsable(response.status) && !isChallenge(route, response)) {
        return fail(failures.notUsable(route, { status: response.status, request, startedMs, executionId }));
      }
      if (route.executes === true) keepOutcome(request, response.headers);
      const failure = route.shape === 'inspect' ? inspectFailureAnswer(response.status, response.body) : undefined;
      if (failure !== undefined) return fail(failure);
      if (isChallenge(route, response)) reply.header('www-authenticate', OAUTH_CLIENT_CHALLENGE);
      return reply.code(response.status).headers(callerHeaders(response.headers)).send(response.body);
    };
  }
}

/** The 401 of a service that reads `Authorization` itself; its refusal of the gateway challenges nobody. */
const isChallenge = ({ ownAuthorization }: GatewayRoute, { status, headers }: ServiceResponse): boolean =>
  ownAuthorization === true && status === 401 && headers['www-authenticate'] === OAUTH_CLIENT_CHALLENGE;

/** The service found that the caller's credential has ended since it was admitted. */
const isEnded = ({ status, headers }: ServiceResponse): boolean =>
  status === errorRegistry.invalid_api_key.httpStatus && headers[internalHeaders.credential] === 'ended';

/** No replica of the service was ready for it. */
const isNotBegun = ({ status, headers }: ServiceResponse): boolean =>
  status === errorRegistry.service_unavailable.httpStatus && headers[internalHeaders.availability] === 'not_ready';

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
