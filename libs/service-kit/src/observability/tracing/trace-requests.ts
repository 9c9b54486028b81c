import { context, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formatTraceparent, parseTraceparent } from './traceparent.js';
import type { Tracing } from './tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** W3C trace context of the request: of its own span where it has one, else as it came; undefined where it is not traced. */
    traceparent: string | undefined;
    /** The context of its span; undefined where it has none. */
    traceContext: Context | undefined;
  }
}

/** They are asked every few seconds by whoever runs the replica. */
const probed: ReadonlySet<string | undefined> = new Set(['/livez', '/readyz']);

export interface TraceRequestsOptions {
  /** Absent: the trace context is passed on as it comes, and no span is made. */
  readonly tracing?: Tracing | undefined;
  /** Every request has a span; else only those that come with a trace context, as what services ask for by themselves does not. */
  readonly isEntrance: boolean;
}

/** Makes a span of each request, within which its handler runs. Comes before every other hook. */
export function traceRequests(server: FastifyInstance, { tracing, isEntrance }: TraceRequestsOptions): void {
  server.decorateRequest('traceparent', undefined);
  server.decorateRequest('traceContext', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers;
    const cause = traceparent === undefined ? undefined : parseTraceparent(traceparent);
    if (tracing === undefined || probed.has(request.routeOptions.url) || (cause === undefined && !isEntrance)) {
      if (cause !== undefined) request.traceparent = formatTraceparent(cause);
      done();
      return;
    }
    const route = request.routeOptions.url;
    const span = tracing.begin(`${request.method} ${route ?? 'unknown'}`, SpanKind.SERVER, cause, {
      'http.request.method': request.method,
      ...(route === undefined ? {} : { 'http.route': route }),
    });
    request.traceContext = span;
    request.traceparent = traceparentIn(span);
    reply.raw.once('close', () => end(span, request, reply));
    context.with(span, done);
  });
  if (tracing === undefined) return;
  // A body arrives in events of its connection, which are of no request.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.traceContext === undefined) done();
    else context.with(request.traceContext, done);
  });
}

function traceparentIn(within: Context): string | undefined {
  const spanContext = trace.getSpanContext(within);
  return spanContext === undefined ? undefined : formatTraceparent(spanContext);
}

function end(within: Context, request: FastifyRequest, reply: FastifyReply): void {
  const span = trace.getSpan(within);
  if (span === undefined) return;
  span.setAttribute('capability_router.request_id', request.id);
  if (reply.raw.writableFinished) {
    const { statusCode } = reply;
    span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500)
      span.setAttribute('error.type', String(statusCode)).setStatus({ code: SpanStatusCode.ERROR });
  } else {
    span.setAttribute('error.type', 'caller_gone');
  }
  span.end();
}
