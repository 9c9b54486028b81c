import type { ApiKeyScope } from '@capability-router/contracts';
import { AppError, type Clock } from '@capability-router/kernel';
import {
  CLOCK,
  CONFIG,
  describeSpan,
  LOGGER,
  logForbidden,
  takesRequests,
  windowHeaders,
  type ErrorAnswer,
} from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config/gateway-env.js';
import { bearerCredential } from '../credentials/bearer-credential.js';
import { CredentialDirectory, type AuthenticatedCaller } from '../credentials/credential-directory.js';
import { insufficientScopeAnswer, invalidKeyAnswer, rateLimitedAnswer } from '../errors/refusal.js';
import { upstreamFailureAnswer } from '../errors/upstream-failure.js';
import { clientBucket } from '../limits/client-bucket.js';
import { WINDOW_MS, type RateLimiter } from '../limits/rate-limiter.js';
import { GatewayMetrics } from '../metrics.js';
import { callerIsGone, forget } from '../requests/caller-gone.js';
import { readQuery } from '../requests/json-body.js';
import { isPlainPath } from '../requests/plain-path.js';
import type { GatewayRoute } from '../routes/gateway-route.js';
import { CHALLENGE, RATE_LIMITER } from '../tokens.js';
import { RejectedCredentials } from './rejected-credentials.js';

/** Who is it, may they, and is there room in their window? */
@Injectable()
export class Admission {
  constructor(
    @Inject(CredentialDirectory) private readonly credentials: CredentialDirectory,
    @Inject(RejectedCredentials) private readonly rejected: RejectedCredentials,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(GatewayMetrics) private readonly metrics: GatewayMetrics,
    @Inject(CHALLENGE) private readonly challenge: string,
  ) {}

  /** The hook of a route that runs before a body is read. It refuses without asking a service. */
  to(route: GatewayRoute) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      const refuse = (answer: ErrorAnswer): FastifyReply =>
        reply.code(answer.status).headers(answer.headers).send(answer.body);
      if (callerIsGone(request)) return forget(reply);
      const unknown = await this.identify(route, request);
      if (unknown !== undefined) {
        const isLate = unknown.status === 401 && route.shape === 'search';
        return refuse(isLate ? await this.refuseSearch(unknown, request) : unknown);
      }
      const refused = await this.admit(route, request, reply);
      return refused === undefined ? undefined : refuse(refused);
    };
  }

  /**
   * The hook of a route that runs once the body was read, for which a caller may take half a minute: a credential that has ended
   * meanwhile is refused as if the request had come now.
   */
  afterBodyOf(route: GatewayRoute) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      const refused = (await this.authenticate(route, request)) ?? this.forbid(route, request);
      return refused && reply.code(refused.status).headers(refused.headers).send(refused.body);
    };
  }

  /** Who is it? Gives the answer to whoever cannot be told, or cannot be now. Throws `AppError` for a path that is none. */
  async identify(route: GatewayRoute, request: FastifyRequest): Promise<ErrorAnswer | undefined> {
    if (!isPlainPath(request.url)) throw new AppError('not_found');
    if (request.isShed) {
      this.metrics.requestsShed.inc();
      return neverSent(route);
    }
    if (!takesRequests(request.server)) {
      this.logger.error(
        { requestId: request.id, route: route.path },
        'a request was refused: this replica is not ready',
      );
      return neverSent(route);
    }
    return route.auth === 'api_key' ? this.authenticate(route, request) : undefined;
  }

  /**
   * An invalid key on a search is answered with the query, which is in the body. Nobody knows who sends it, so it is no
   * request under way while it is waited for, and counts in the window of its address.
   */
  private async refuseSearch(unknown: ErrorAnswer, request: FastifyRequest): Promise<ErrorAnswer> {
    request.stay?.end();
    const rate = 'anonymous';
    const limit = this.config.rateLimits[rate];
    const { allowed, resetInMs } = await this.limiter.take(`${rate}:${clientBucket(request.ip)}`, limit);
    if (!allowed) {
      this.metrics.rateLimited.inc({ class: rate });
      const endsAtMs = this.clock.nowMs() + resetInMs;
      return rateLimitedAnswer(resetInMs, { policy: rate, limit, endsAtMs, windowSeconds: WINDOW_MS / 1_000 });
    }
    const query = await readQuery(request);
    return { ...unknown, body: invalidKeyAnswer('search', query, '').body };
  }

  /** Counts the request in its window, whose headers it puts on the answer; then whoever lacks the scope is refused. */
  async admit(route: GatewayRoute, request: FastifyRequest, reply: FastifyReply): Promise<ErrorAnswer | undefined> {
    const subject = request.authenticated?.account.accountId ?? clientBucket(request.ip);
    const taken = this.limiter.take(`${route.rate}:${subject}`, this.limitOf(route, request));
    const decision = taken instanceof Promise ? await taken : taken;
    const endsAtMs = this.clock.nowMs() + decision.resetInMs;
    const window = { policy: route.rate, limit: decision.limit, endsAtMs, windowSeconds: WINDOW_MS / 1_000 };
    const secondsLeft = Math.ceil(decision.resetInMs / 1_000);
    reply.headers(windowHeaders({ ...window, remaining: decision.remaining, secondsLeft }));
    if (!decision.allowed) {
      this.metrics.rateLimited.inc({ class: route.rate });
      return rateLimitedAnswer(decision.resetInMs, window);
    }
    return this.forbid(route, request);
  }

  private forbid(route: GatewayRoute, request: FastifyRequest): ErrorAnswer | undefined {
    const missing = this.missingScope(route, request);
    return missing === undefined ? undefined : insufficientScopeAnswer(missing, request.authenticated?.account);
  }

  /** Requests per minute: those of the account's plan, where it has one that says so. */
  private limitOf({ rate }: GatewayRoute, request: FastifyRequest): number {
    const planned = rate === 'anonymous' ? undefined : request.authenticated?.ratePlan?.perMinute[rate];
    return planned ?? this.config.rateLimits[rate];
  }

  /** Whether a request of the route would not be refused for its scope. */
  hasScope({ scope }: GatewayRoute, { authenticated }: FastifyRequest): boolean {
    return scope === undefined || authenticated?.account.scopes.includes(scope) === true;
  }

  /** The scope of the route that the credential lacks. It is logged, as what an intruder would try. */
  private missingScope(route: GatewayRoute, request: FastifyRequest): ApiKeyScope | undefined {
    const { scope } = route;
    if (scope === undefined || this.hasScope(route, request)) return undefined;
    logForbidden(this.logger, { request, account: request.authenticated?.account, scope });
    return scope;
  }

  private async authenticate(route: GatewayRoute, request: FastifyRequest): Promise<ErrorAnswer | undefined> {
    const credential = bearerCredential(request);
    if (credential === undefined) return invalidKeyAnswer(route.shape, '', this.challenge);
    const waitMs = this.rejected.waitMs(request.ip);
    let caller: AuthenticatedCaller | undefined;
    try {
      // Waiting costs a turn of the event loop's queue, so what is in memory is not waited for.
      const known = waitMs > 0 ? this.credentials.resolveFamiliar(credential) : this.credentials.resolve(credential);
      caller = known instanceof Promise ? await known : known;
    } catch (error) {
      this.logger.error({ err: error, requestId: request.id }, 'a credential could not be checked');
      return neverSent(route);
    }
    if (caller === undefined) {
      if (waitMs > 0) {
        this.metrics.rateLimited.inc({ class: 'invalid_key' });
        const { limit } = this.rejected;
        return rateLimitedAnswer(waitMs, { policy: 'invalid_key', limit, endsAtMs: this.clock.nowMs() + waitMs });
      }
      await this.rejected.record(request.ip);
      return invalidKeyAnswer(route.shape, '', this.challenge);
    }
    request.authenticated = caller;
    const { accountId, apiKeyId, oauthClientId } = caller.account;
    describeSpan({
      'capability_router.account_id': accountId,
      'capability_router.api_key_id': apiKeyId,
      'capability_router.oauth_client_id': oauthClientId,
    });
    return undefined;
  }
}

/** No service has heard of the request. */
const neverSent = (route: GatewayRoute): ErrorAnswer =>
  upstreamFailureAnswer(route, { kind: 'unavailable', requestWritten: false, elapsedMs: 0 }, undefined);
