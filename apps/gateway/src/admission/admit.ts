import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ApiKeyScope } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import { logForbidden } from '@capability-router/service-kit';
import type { ErrorAnswer } from '@capability-router/service-kit';
import { bearerCredential } from '../credentials/bearer-credential.js';
import type { AuthenticatedCaller, CredentialDirectory } from '../credentials/credential-directory.js';
import { insufficientScopeAnswer, invalidKeyAnswer, rateLimitedAnswer } from '../errors/refusal.js';
import { upstreamFailureAnswer } from '../errors/upstream-failure.js';
import { queryOf } from '../forward/json-body.js';
import { isPlainPath } from '../forward/plain-path.js';
import { clientBucket } from '../limits/client-bucket.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { GatewayMetrics } from '../metrics.js';
import type { GatewayRoute, RateClass } from '../routes/gateway-route.js';
import { callerIsGone, forget } from './caller-gone.js';
import type { RejectedCredentials } from './rejected-credentials.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose credential the request carries; undefined on routes without one. */
    authenticated: AuthenticatedCaller | undefined;
    /** Set on a request that is refused but whose body is still read, because the answer repeats part of it. */
    refusal: ErrorAnswer | undefined;
  }
}

export interface AdmissionParts {
  readonly credentials: CredentialDirectory;
  readonly rejected: RejectedCredentials;
  readonly limiter: RateLimiter;
  readonly rateLimits: Readonly<Record<RateClass, number>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: GatewayMetrics;
}

/** Runs before a body is read: who is it, may they, and is there room in their window? Refuses without asking a service. */
export function admitTo(route: GatewayRoute, parts: AdmissionParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const refuse = (answer: ErrorAnswer): FastifyReply =>
      reply.code(answer.status).headers(answer.headers).send(answer.body);
    if (callerIsGone(request)) return forget(reply);
    if (!isPlainPath(request.url)) throw new AppError('not_found');
    if (route.auth === 'api_key') {
      const refusal = await authenticate(route, request, parts);
      if (refusal !== undefined) {
        // An invalid key on a search is answered with the query, which is in the body.
        if (refusal.status !== 401 || route.shape !== 'search') return refuse(refusal);
        request.refusal = refusal;
        return undefined;
      }
    }
    const subject = request.authenticated?.account.accountId ?? clientBucket(request.ip);
    const taken = parts.limiter.take(`${route.rate}:${subject}`, parts.rateLimits[route.rate]);
    const decision = taken instanceof Promise ? await taken : taken;
    const endsAtMs = parts.clock.nowMs() + decision.resetInMs;
    reply.header('x-ratelimit-limit', decision.limit);
    reply.header('x-ratelimit-remaining', decision.remaining);
    reply.header('x-ratelimit-reset', Math.ceil(endsAtMs / 1_000));
    if (!decision.allowed) {
      parts.metrics.rateLimited.inc({ class: route.rate });
      return refuse(rateLimitedAnswer(decision.resetInMs, { limit: decision.limit, endsAtMs }));
    }
    const missing = missingScope(route, request, parts);
    return missing === undefined ? undefined : refuse(insufficientScopeAnswer(missing));
  };
}

/** The scope of the route that the credential lacks. It is logged, as what an intruder would try. */
function missingScope(
  route: GatewayRoute,
  request: FastifyRequest,
  { logger }: AdmissionParts,
): ApiKeyScope | undefined {
  const { scope } = route;
  const account = request.authenticated?.account;
  if (scope === undefined || account?.scopes.includes(scope) === true) return undefined;
  logForbidden(logger, { request, account, scope });
  return scope;
}

/** For `search` routes: answers a refused request once its body was read or turned out to be unreadable. */
export function answerRefused(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (request.refusal === undefined) return undefined;
  const { status, headers, body } = invalidKeyAnswer('search', queryOf(request.body));
  return reply.code(status).headers(headers).send(body);
}

async function authenticate(
  route: GatewayRoute,
  request: FastifyRequest,
  parts: AdmissionParts,
): Promise<ErrorAnswer | undefined> {
  const credential = bearerCredential(request.headers.authorization);
  if (credential === undefined) return invalidKeyAnswer(route.shape, '');
  const waitMs = parts.rejected.waitMs(request.ip);
  let caller: AuthenticatedCaller | undefined;
  try {
    // Waiting costs a turn of the event loop's queue, so what is in memory is not waited for.
    const known = waitMs > 0 ? parts.credentials.resolveFamiliar(credential) : parts.credentials.resolve(credential);
    caller = known instanceof Promise ? await known : known;
  } catch (error) {
    parts.logger.error({ err: error, requestId: request.id }, 'a credential could not be checked');
    return upstreamFailureAnswer(route, { kind: 'unavailable', requestWritten: false, elapsedMs: 0 }, undefined);
  }
  if (caller === undefined) {
    if (waitMs > 0) {
      parts.metrics.rateLimited.inc({ class: 'invalid_key' });
      return rateLimitedAnswer(waitMs, { limit: parts.rejected.limit, endsAtMs: parts.clock.nowMs() + waitMs });
    }
    await parts.rejected.record(request.ip);
    return invalidKeyAnswer(route.shape, '');
  }
  request.authenticated = caller;
  return undefined;
}
