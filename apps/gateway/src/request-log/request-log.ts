import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { internalHeaders } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { CONFIG, LOGGER, traceIdOf } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config/gateway-env.js';
import { creditsOf, reasonIn, reasonOf } from './told-outcome.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Told by the request log beside the status of the answer; absent until it is known. */
    toldReason: string | undefined;
    /** Credits of the bill that a call was answered with, before its settlement. */
    toldCredits: number | undefined;
    /** A request has one line, also where its answer ends after its caller has gone; a probe has none. */
    isLogged: boolean;
  }
}

/** No credential of ours has this form; the ids that the gateway makes have it. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DIGEST_DIGITS = 16;

/** They are asked every few seconds by whoever runs the replica, and `/readyz` tells the same to anybody. */
const probed: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz']);

/**
 * One line for each request that ended. Its members are a list of what may be told, so that no address, no header, no
 * path as it was asked for and nothing of a body is in it.
 */
@Injectable()
export class RequestLog {
  private readonly isOn: boolean;
  /** Looks for nothing to redact, which takes most of the time of a line: its members are those below and no other. */
  private readonly logger: Logger;

  constructor(@Inject(LOGGER) logger: Logger, @Inject(CONFIG) { requestLog }: Pick<GatewayConfig, 'requestLog'>) {
    this.logger = logger.child({}, { redact: [] });
    this.isOn = requestLog && logger.isLevelEnabled('info');
  }

  /** Comes before every hook that may refuse a request, since what follows a refusal is not run. */
  mountOn(server: FastifyInstance): void {
    server.decorateRequest('toldReason', undefined);
    server.decorateRequest('toldCredits', undefined);
    server.decorateRequest('isLogged', false);
    if (!this.isOn) return;
    server.addHook('onRequest', (request, reply, done) => {
      if (probed.has(request.routeOptions.url)) request.isLogged = true;
      else
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) this.write(request, reply, true);
        });
      done();
    });
    server.addHook('onError', (request, _reply, error, done) => {
      if (error instanceof AppError) request.toldReason = error.code;
      done();
    });
    server.addHook('onSend', (request, reply, payload, done) => {
      if (reply.statusCode >= 400) request.toldReason ??= reasonIn(payload);
      done();
    });
    server.addHook('onResponse', (request, reply, done) => {
      this.write(request, reply, false);
      done();
    });
  }

  private write(request: FastifyRequest, reply: FastifyReply, isAborted: boolean): void {
    if (request.isLogged) return;
    request.isLogged = true;
    const { authenticated, toldReason, toldCredits, id, raw } = request;
    const account = authenticated?.account;
    this.logger.info(
      {
        log: 'request',
        requestId: loggedIdOf(id),
        traceId: traceIdOf(request.traceparent),
        accountId: account?.accountId,
        apiKeyId: account?.apiKeyId,
        oauthClientId: account?.oauthClientId,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        // Whoever hangs up has no status, whatever was about to be answered.
        ...(isAborted
          ? { aborted: true }
          : { status: reply.statusCode, reason: reasonOf(reply.statusCode, toldReason) }),
        ms: Math.round(reply.elapsedTime * 10) / 10,
        credits: isAborted ? undefined : toldCredits,
        ...(raw.socket instanceof Socket ? {} : { within: 'mcp' }),
      },
      'request',
    );
  }
}

/**
 * A caller may have put a credential of any form in the id that it chose: only a part of its hash is told, by which
 * whoever knows the id finds the line.
 */
const loggedIdOf = (id: string): string =>
  uuid.test(id) ? id : `sha256:${createHash('sha256').update(id).digest('hex').slice(0, DIGEST_DIGITS)}`;

/** Keeps what a service tells of an outcome beside its answer; these headers never reach the caller. */
export function keepOutcome(
  request: FastifyRequest,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): void {
  request.toldReason = reasonOf(0, headers[internalHeaders.reasonCode]);
  request.toldCredits = creditsOf(headers[internalHeaders.billedCredits]);
}
