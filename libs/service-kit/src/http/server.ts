import { isIP } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { publicHeaders } from '@capability-router/contracts';
import { AppError, errorRegistry } from '@capability-router/kernel';
import { DEFAULT_BODY_LIMIT_BYTES } from '../config/common-env.js';
import { httpDurations } from '../observability/metrics.js';
import { traceRequests } from '../observability/tracing/trace-requests.js';
import type { Tracing } from '../observability/tracing/tracing.js';
import { tellAvailability, type AvailabilityOptions } from './availability.js';
import { closeOnLateBody } from './body-deadline.js';
import { watchConnections } from './connections.js';
import { mayBeSentAgain } from './database-away.js';
import { errorAnswerOf, type ErrorAnswer } from './error-answer.js';
import { errorMembers } from './error-members.js';
import { countInFlight } from './in-flight.js';
import { parseJsonBodies } from './json-body-parser.js';
import { requestIdOf } from './request-id.js';
import { hasEncodedAction, RouteTable } from './route-table.js';
import { logForbidden } from './security-log.js';
import { refuseUnfitRequests, refuseUnreadable } from './unfit-requests.js';

/** Milliseconds an idle connection is kept; longer than any client of ours keeps one, so that the client closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Milliseconds within which the head of a request, and then its body, must have arrived. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds within which a body that is streamed must have arrived. */
const STREAMED_REQUEST_TIMEOUT_MS = 1_800_000;
/** Milliseconds between two looks for heads that are late. */
const HEAD_CHECK_INTERVAL_MS = 2_000;
/** Milliseconds for which nothing may move on a connection where an answer waits to be taken. */
const ANSWER_STALL_MS = 120_000;
/** Characters of one path parameter. */
const MAX_PARAM_LENGTH = 2_048;

export interface Readiness {
  readonly ready: boolean;
  readonly detail: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** `/readyz` answers with this; whoever runs the service sets it. */
    readiness: { current: () => Readiness | Promise<Readiness> };
    routeTable: RouteTable;
    responseHeaders: Readonly<Record<string, string>>;
  }
}

export interface RouteAllowance {
  /** Instead of the server's. */
  readonly bodyLimitBytes?: number;
  /** The body may take longer to arrive. */
  readonly streamsBody?: boolean;
}

export interface ServerOptions extends AvailabilityOptions {
  /** Name on metrics. */
  readonly service: string;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly bodyLimitBytes?: number;
  /** Milliseconds within which the head of a request must have arrived; 30 s where absent. */
  readonly headTimeoutMs?: number;
  /** Milliseconds within which a body must have arrived, except on routes that stream it; 30 s where absent. */
  readonly bodyTimeoutMs?: number;
  /** Milliseconds for which nothing may move on a connection where an answer waits to be taken; 2 min where absent. */
  readonly answerStallMs?: number;
  /** Milliseconds for which a connection is kept between two requests; 72 s where absent. */
  readonly keepAliveTimeoutMs?: number;
  /** Connections that are open at the same time; as many as the system gives where absent. */
  readonly maxConnections?: number;
  /** Requests under way at the same time; those beyond are marked (`isShed`) for the routes to refuse. Any where absent. */
  readonly maxInFlight?: number;
  /** Content types, beside JSON, whose bodies a controller gets as streams and bounds itself. */
  readonly streamedContentTypes?: readonly string[];
  /** Options of single routes, e.g. `PUT /things/:id`, where they do otherwise. */
  readonly routes?: Readonly<Record<string, RouteAllowance>>;
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed; none by default. */
  readonly trustedProxies?: readonly string[];
  /** The spans of the service, where it is traced. */
  readonly tracing?: Tracing | undefined;
  /** Headers of every answer, errors included. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** A Fastify instance with what every listener of ours has: request ids, metrics, health, JSON only, plain errors. */
export function createServer(options: ServerOptions): FastifyInstance {
  const headTimeoutMs = options.headTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const bodyTimeoutMs = options.bodyTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const server: FastifyInstance = fastify({
    logger: false,
    genReqId: requestIdOf,
    bodyLimit: options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: STREAMED_REQUEST_TIMEOUT_MS,
    // Requests that arrive on open connections while the listener closes are still served.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy:
      options.trustedProxies === undefined || options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    http: {
      // Node would refuse such a request without a word.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(HEAD_CHECK_INTERVAL_MS, headTimeoutMs),
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => originFormOf(url),
    clientErrorHandler: (error, socket) => refuseUnreadable(error.code, socket, options.responseHeaders ?? {}),
    // No hook runs for these, so nobody else ends them.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply, options.logger, endError),
  });
  const routeTable = new RouteTable();
  server.decorate('routeTable', routeTable);
  server.decorate('responseHeaders', options.responseHeaders ?? {});
  server.decorate('readiness', { current: () => ({ ready: false, detail: 'starting' }) });
  readForwardedFor(server);
  traceRequests(server, { tracing: options.tracing, isEntrance: options.isPublic === true });
  countInFlight(server, { maxInFlight: options.maxInFlight ?? Infinity, logger: options.logger });
  tellAvailability(server, options);
  routeTable.attach(server);
  server.removeContentTypeParser('text/plain');
  parseJsonBodies(server);
  if (options.streamedContentTypes !== undefined && options.streamedContentTypes.length > 0) {
    server.addContentTypeParser([...options.streamedContentTypes], (_request, payload, done) => done(null, payload));
  }
  allowOnRoutes(server, options.routes ?? {});
  server.server.headersTimeout = headTimeoutMs;
  // Node would leave out what is beyond its own bound, and say nothing.
  server.server.maxHeadersCount = 0;
  closeOnLateBody(server, bodyTimeoutMs, options.responseHeaders ?? {});
  watchConnections(server, {
    ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
    answerStallMs: options.answerStallMs ?? ANSWER_STALL_MS,
  });
  observeRequests(server, options);
  refuseUnfitRequests(server, options.responseHeaders ?? {});
  server.addHook('onRequest', (request, reply, done) => {
    if (!hasEncodedAction(request.routeOptions.url, request.url)) done();
    else sendError({ statusCode: 404 }, request, reply, options.logger);
  });
  server.get('/livez', (_request, reply) => reply.send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const { ready, detail } = await server.readiness.current();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not_ready', detail });
  });
  return server;
}

/**
 * Leaves only addresses in `X-Forwarded-For`, of which Fastify takes the client's: some proxies put a port behind each. What
 * stands before a text that is no address, anybody may have written.
 */
function readForwardedFor(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const told = headers['x-forwarded-for'];
    if (typeof told === 'string') {
      const addresses = told.split(',').map((text) => forwardedAddress(text.trim()));
      headers['x-forwarded-for'] = addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ');
    }
    done();
  });
}

/** Without a port, brackets and a zone, which means nothing on another machine. */
function forwardedAddress(text: string): string | undefined {
  const [, inBrackets, beforePort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = (inBrackets ?? beforePort ?? text).replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}

function allowOnRoutes(server: FastifyInstance, routes: Readonly<Record<string, RouteAllowance>>): void {
  server.addHook('onRoute', (route) => {
    const allowance = routes[`${String(route.method)} ${route.url}`];
    if (allowance?.bodyLimitBytes !== undefined) route.bodyLimit = allowance.bodyLimitBytes;
    if (allowance?.streamsBody === true) route.config = { ...route.config, streamsBody: true };
  });
}

/** For servers without Nest; Nest's exceptions go through `AppErrorFilter`. */
export function answerErrorsPlainly(server: FastifyInstance, logger: Logger): void {
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply, logger));
  // Before the body is read: a method that the path does not have is told as such, whatever else is wrong.
  server.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendError({ statusCode: 404 }, request, reply, logger);
    else done();
  });
  server.setNotFoundHandler((request, reply) => {
    sendError({ statusCode: 404 }, request, reply, logger);
  });
}

/** Answers with PublicApiError; logs what is our fault, with its cause, and what was forbidden. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
  bodyOf: (answer: ErrorAnswer, requestId: string) => ErrorAnswer['body'] = ({ body }) => body,
): void {
  if (reply.sent || reply.raw.headersSent) {
    breakOff(error, request, reply, logger);
    return;
  }
  const away = !(error instanceof AppError) && mayBeSentAgain(error, request.method);
  const told = away ? new AppError('service_unavailable') : error;
  const { routeTable } = request.server;
  const answer = errorAnswerOf(told, {
    allowedMethods: routeTable.allowedFor(request.method, request.url),
    existsWithoutSlash: routeTable.existsWithoutSlash(request.url),
  });
  if (answer.status >= 500) {
    logger.error(
      { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
      'request failed',
    );
  }
  if (answer.status === errorRegistry.forbidden.httpStatus) {
    const scope = error instanceof AppError ? error.options.scope : undefined;
    logForbidden(logger, { request, account: request.account, ...(scope === undefined ? {} : { scope }) });
  }
  readOn(request, reply);
  // Framework errors are answered before any hook has run.
  const { responseHeaders } = request.server;
  void reply
    .headers({ ...responseHeaders, [publicHeaders.requestId]: request.id, ...answer.headers })
    .code(answer.status)
    .send(bodyOf(answer, request.id));
}

const endError = ({ status, headers, body }: ErrorAnswer, requestId: string): ErrorAnswer['body'] => ({
  ...body,
  ...errorMembers({ status, body, retryAfter: headers['retry-after'], requestId }),
});

/** The answer has begun, so all that can be told is that it ends early; whoever hung up knows already. */
function breakOff(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const route = request.routeOptions.url;
  if (!reply.raw.destroyed) logger.error({ err: error, requestId: request.id, route }, 'an answer broke off');
  reply.raw.destroy();
}

/**
 * Fastify would close the connection of a body that it does not read. What still comes is then answered with a reset,
 * which can overtake the answer: the caller would see a broken connection in place of a 413. So the rest is read and
 * forgotten; `closeOnLateBody` bounds how long.
 */
export function readOn({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { complete } = raw as { complete?: boolean };
  if (complete !== false || reply.getHeader('connection') !== 'close') return;
  reply.removeHeader('connection');
  raw.resume();
}

/** A client may send the whole URL, as to a proxy (RFC 9112, 3.2.2); the path and the query are what it asks for. */
function originFormOf(url: string): string {
  if (url.startsWith('/')) return url;
  const path = /^https?:\/\/[^/?]*(.*)$/i.exec(url)?.[1];
  if (path === undefined) return url;
  return path.startsWith('/') ? path : `/${path}`;
}

function observeRequests(server: FastifyInstance, options: ServerOptions): void {
  const durations = httpDurations(options.metrics);
  const debug = options.logger.isLevelEnabled('debug');
  const fixed = Object.entries(options.responseHeaders ?? {});
  server.addHook('onRequest', (request, reply, done) => {
    reply.header(publicHeaders.requestId, request.id);
    for (const [name, value] of fixed) reply.header(name, value);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    durations.observe(
      { service: options.service, method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1_000,
      request.span?.keptTraceId,
    );
    if (debug) {
      options.logger.debug(
        {
          requestId: request.id,
          method: request.method,
          route,
          status: reply.statusCode,
          durationMs: reply.elapsedTime,
        },
        'request',
      );
    }
    done();
  });
}
