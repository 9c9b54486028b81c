import type { Clock } from '@capability-router/kernel';
import { CLOCK, LOGGER, UpstreamTimeout, UpstreamUnavailable, type ErrorAnswer } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { unusableAnswer, upstreamFailureAnswer } from '../errors/upstream-failure.js';
import { GatewayMetrics } from '../metrics.js';
import type { GatewayRoute } from '../routes/gateway-route.js';

/** One request that was sent on. */
export interface Attempt {
  readonly request: FastifyRequest;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  readonly executionId: string | undefined;
}

/** Counts and logs what a service did not answer, and says what its caller is told. */
@Injectable()
export class UpstreamFailures {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(GatewayMetrics) private readonly metrics: GatewayMetrics,
  ) {}

  /** There is no answer. Throws an error that is not the upstream's. */
  noAnswer(
    route: GatewayRoute,
    { error, request, startedMs, executionId }: Attempt & { readonly error: unknown },
  ): ErrorAnswer {
    if (!(error instanceof UpstreamUnavailable) && !(error instanceof UpstreamTimeout)) throw error;
    const kind = error instanceof UpstreamTimeout ? 'timeout' : 'unavailable';
    const { requestWritten } = error;
    this.metrics.upstreamFailures.inc({ service: route.service, kind, written: String(requestWritten) });
    this.logger.error({ err: error, requestId: request.id, executionId, requestWritten }, 'an upstream gave no answer');
    const elapsedMs = this.clock.nowMs() - startedMs;
    return upstreamFailureAnswer(route, { kind, requestWritten, elapsedMs }, executionId);
  }

  /** There is an answer that no caller may get. */
  notUsable(
    route: GatewayRoute,
    { status, request, startedMs, executionId }: Attempt & { readonly status: number },
  ): ErrorAnswer {
    this.metrics.upstreamFailures.inc({ service: route.service, kind: 'unusable', written: 'true' });
    this.logger.error({ requestId: request.id, executionId, status }, 'an upstream answer was not usable');
    return unusableAnswer(route, { status, elapsedMs: this.clock.nowMs() - startedMs }, executionId);
  }
}

/** Redirects are never passed on; a 401 means that the service did not believe the gateway, which is no fault of the caller. */
export const isUsable = (status: number): boolean => status >= 200 && status !== 401 && (status < 300 || status >= 400);
