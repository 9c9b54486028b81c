import { PassThrough, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@capability-router/kernel';
import type { StreamedResponse } from '@capability-router/service-kit';
import type { GatewayRoute } from '../routes/gateway-route.js';
import { isUsable, noAnswer, notUsable } from './forward.js';
import type { ForwardParts } from './forward.js';
import { callerHeaders, upstreamHeaders } from './headers.js';

const streamedContentTypes = ['application/json', 'application/x-ndjson', 'application/yaml', 'application/x-yaml'];

/** In a scope of its own, whose routes get their bodies as streams. */
export function acceptStreams(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(streamedContentTypes, (_request, payload, done) => done(null, payload));
}

/** The handler of a route that streams: backpressure holds from the caller to the service and back. */
export function forwardStreamTo(route: GatewayRoute, parts: ForwardParts) {
  const client = parts.clients[route.service];
  const { method } = route;
  const limitBytes = Math.min(parts.streamedBodyLimitBytes, route.maxStreamedBytes ?? Number.POSITIVE_INFINITY);
  if (method !== 'POST' && method !== 'PUT') throw new Error(`${method} ${route.path} has no body to stream`);

  const forward = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const attempt = { request, startedMs: parts.clock.nowMs(), executionId: undefined };
    const bodiless = route.bodyOptional === true && hasNoBody(request);
    if (!bodiless) refuseUnreadable(request, limitBytes);
    const gone = new AbortController();
    // Unlike a dispatched call, what nobody waits for any more is broken off: repeating it is harmless.
    reply.raw.once('close', () => gone.abort(new Error('the caller has gone')));
    const body = bodiless ? Readable.from([Buffer.from('{}')]) : bounded(request.body, limitBytes);
    let response: StreamedResponse;
    try {
      response = await client.stream({
        method,
        path: request.url,
        headers: {
          ...upstreamHeaders(request.headers, {
            requestId: request.id,
            executionId: undefined,
            clientAddress: request.ip,
          }),
          ...(bodiless ? { 'content-type': 'application/json' } : {}),
        },
        body,
        idleTimeoutMs: parts.streamIdleTimeoutMs,
        signal: gone.signal,
        ...(request.authenticated === undefined ? {} : { assertion: request.authenticated.assertion }),
      });
    } catch (error) {
      if (gone.signal.aborted) return;
      const answer = noAnswer(route, parts, { ...attempt, error });
      void reply.code(answer.status).headers(answer.headers).send(answer.body);
      return;
    }
    if (!isUsable(response.status)) {
      response.body.destroy();
      const answer = notUsable(route, parts, { ...attempt, status: response.status });
      void reply.code(answer.status).headers(answer.headers).send(answer.body);
      return;
    }
    void reply.code(response.status).headers(callerHeaders(response.headers)).send(response.body);
  };
  // Not an async handler: of a promise that is still there when a streamed answer breaks, Fastify sends the error after
  // the head of the answer, and that is a fault of its own.
  return (request: FastifyRequest, reply: FastifyReply): void => {
    forward(request, reply).catch((error: unknown) => void reply.send(error));
  };
}

/** A stream of no bytes would be a body in chunks to the service, and no JSON. */
const hasNoBody = ({ body, headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && (body == null || headers['content-length'] === '0');

function refuseUnreadable(request: FastifyRequest, limitBytes: number): void {
  if (request.body === undefined) throw new AppError('unsupported_media_type', contentTypeMessage);
  // The service is told nothing of an encoding, so it would read compressed bytes as text.
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.');
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new AppError('body_too_large');
}

const contentTypeMessage = `Send the body as one of: ${streamedContentTypes.join(', ')}.`;

/** Fails once more than the limit has come, for a body that did not say its length. */
function bounded(source: unknown, limitBytes: number): Readable {
  if (!(source instanceof Readable)) throw new AppError('unsupported_media_type', contentTypeMessage);
  let bytes = 0;
  const copy = new PassThrough({
    transform(chunk: Buffer, _encoding, next) {
      bytes += chunk.length;
      if (bytes > limitBytes) next(new AppError('body_too_large'));
      else next(null, chunk);
    },
  });
  // Not a pipeline: to destroy the request would close the connection before the caller is answered.
  source.once('error', (error: Error) => copy.destroy(error));
  source.once('close', () => {
    if (!source.readableEnded) copy.destroy(new Error('the body broke off'));
  });
  copy.on('error', () => undefined);
  return source.pipe(copy);
}
