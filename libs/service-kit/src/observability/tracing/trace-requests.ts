import type { FastifyInstance, FastifyReply } from 'fastify';
import { isMadeRequestId } from '../../http/request-id.js';
import { formatTraceparent, parseTraceparent } from './traceparent.js';
import type { RequestSpan, Tracing } from './tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** W3C trace context of the request: of its own span where it has one, else as it came; undefined where it is not traced. */
    traceparent: string | undefined;
    /** Undefined where it has none. */
    span: RequestSpan | undefined;
  }
}

/** They are asked every few seconds by whoever runs the replica. */
const probed: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz']);
const FIRST_FAILURE = 500;

export interface TraceRequestsOptions {
  /** Absent: the trace context is passed on as it comes, and no span is made. */
  readonly tracing?: Tracing | undefined;
  /** Every request has a span; else only those that come with a trace context, as what services ask for by themselves does not. */
  readonly isEntrance: boolean;
}

/** Makes a span of each request, within which its handler runs. Comes before every other hook. */
export function traceRequests(server: FastifyInstance, { tracing, isEntrance }: TraceRequestsOptions): void {
  server.decorateRequest('traceparent', undefined);
  server.decorateRequest('span', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers;
    const cause = traceparent === undefined ? undefined : parseTraceparent(traceparent);
    const { url: route } = request.routeOptions;
    if (tracing === undefined || probed.has(route) || (cause === undefined && !isEntrance)) {
      if (cause !== undefined) request.traceparent = formatTraceparent(cause);
      done();
      return;
    }
    const told = { 'http.request.method': request.method, 'http.route': route };
    const span = tracing.beginRequest(`${request.method} ${route ?? 'unknown'}`, cause, told);
    request.span = span;
    request.traceparent = span.traceparent;
    reply.raw.once('close', () => end(span, request.id, reply));
    span.within(done);
  });
  if (tracing === undefined) return;
  // A body arrives in events of its connection, which are of no request.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.span === undefined) done();
    else request.span.within(done);
  });
}

function end(span: RequestSpan, requestId: string, { raw, statusCode }: FastifyReply): void {
  // One that the caller chose may be anything, a credential among it.
  const own = isMadeRequestId(requestId) ? { 'capability_router.request_id': requestId } : {};
  if (!raw.writableFinished) return span.end({ ...own, 'error.type': 'caller_gone' }, false);
  const failed = statusCode >= FIRST_FAILURE;
  const told = { ...own, 'http.response.status_code': statusCode };
  span.end(failed ? { ...told, 'error.type': String(statusCode) } : told, failed);
}
