import { PassThrough, pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MAX_STREAMED_ANSWER_BYTES } from '@capability-router/contracts';
import { AppError, type Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, type ServiceClients, type StreamedResponse } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/gateway-env.js';
import { callerIsGone, forget } from '../requests/caller-gone.js';
import { encodedMessage, isEncoded } from '../requests/json-body.js';
import type { GatewayRoute } from '../routes/gateway-route.js';
import { CLIENTS } from '../tokens.js';
import { callerHeaders, upstreamHeaders } from './headers.js';
import { isUsable, UpstreamFailures } from './upstream-failures.js';

const NOT_MODIFIED = 304;
/** Bytes of an error of a service that are held before they are passed on. */
const MAX_HELD_ERROR_BYTES = 1_048_576;
const streamedContentTypes = ['application/json', 'application/x-ndjson', 'application/yaml', 'application/x-yaml'];

/** In a scope of its own, whose routes get their bodies as streams. */
export function acceptStreams(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(streamedContentTypes, (_request, payload, done) => done(null, payload));
  // These routes take other bodies than the rest, so a caller is told to send something else, too.
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(new AppError('unsupported_media_type', contentTypeMessage), undefined);
  });
}

/** Forwards requests whose body and answer are passed on as they come. */
@Injectable()
export class StreamForwarding {
  constructor(
    @Inject(CLIENTS) private readonly clients: ServiceClients,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(UpstreamFailures) private readonly failures: UpstreamFailures,
  ) {}

  /** The handler of a route that streams: backpressure holds from the caller to the service and back. */
  to(route: GatewayRoute) {
    const { clock, config, failures } = this;
    const client = this.clients[route.service];
    const { method } = route;
    const limitBytes = Math.min(config.streamedBodyLimitBytes, route.maxStreamedBytes ?? Number.POSITIVE_INFINITY);
    if (method === 'PATCH' || method === 'DELETE') throw new Error(`${method} ${route.path} is no route that streams`);
    const reads = method === 'GET' || method === 'HEAD';

    const forward = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const attempt = { request, startedMs: clock.nowMs(), executionId: undefined };
      if (callerIsGone(request)) {
        void forget(reply);
        return;
      }
      const bodiless = route.bodyOptional === true && hasNoBody(request);
      if (!bodiless && !reads) refuseUnreadable(request, limitBytes);
      const gone = new AbortController();
      // Unlike a dispatched call, what nobody waits for any more is broken off: repeating it is harmless.
      reply.raw.once('close', () => gone.abort(new Error('the caller has gone')));
      const bodyOf = (): Readable =>
        bodiless ? Readable.from([Buffer.from('{}')]) : bounded(request.body, limitBytes);
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
          ...(reads ? {} : { body: bodyOf() }),
          idleTimeoutMs: config.streamIdleTimeoutMs,
          signal: gone.signal,
          ...(request.authenticated === undefined ? {} : { assertion: request.authenticated.assertion }),
        });
      } catch (error) {
        if (gone.signal.aborted) {
          void forget(reply);
          return;
        }
        const answer = failures.noAnswer(route, { ...attempt, error });
        void reply.code(answer.status).headers(answer.headers).send(answer.body);
        return;
      }
      // A length tells the caller of a download whether all of it came.
      const length = response.headers['content-length'];
      const tooLong = Number(length ?? 0) > MAX_STREAMED_ANSWER_BYTES;
      if (tooLong || (!isUsable(response.status) && !(reads && response.status === NOT_MODIFIED))) {
        response.body.destroy();
        const answer = failures.notUsable(route, { ...attempt, status: response.status });
        void reply.code(answer.status).headers(answer.headers).send(answer.body);
        return;
      }
      void reply.code(response.status).headers(callerHeaders(response.headers));
      if (typeof length === 'string') void reply.header('content-length', length);
      if (method === 'HEAD' || response.status === NOT_MODIFIED) {
        response.body.resume().on('error', () => undefined);
        void reply.send();
      } else if (isJsonError(response)) {
        // Held whole, so that it ends as every error does.
        void reply.send(await held(response.body));
      } else {
        const bounds = length === undefined && route.answerOfAnySize !== true;
        void reply.send(bounds ? boundedAnswer(response.body) : response.body);
      }
    };
    // Not an async handler: of a promise that is still there when a streamed answer breaks, Fastify sends the error after
    // the head of the answer, and that is a fault of its own.
    return (request: FastifyRequest, reply: FastifyReply): void => {
      forward(request, reply).catch((error: unknown) => void reply.send(error));
    };
  }
}

const isJsonError = ({ status, headers }: StreamedResponse): boolean =>
  status >= 400 && String(headers['content-type']).startsWith('application/json');

/** Rejects for what is longer than any error of a service. */
function held(body: Readable): Promise<Buffer> {
  const counted = countBytes(MAX_HELD_ERROR_BYTES, () => new Error('the error is too long'));
  return buffer(pipeline(body, counted, () => undefined));
}

/** A stream of no bytes would be a body in chunks to the service, and no JSON. */
const hasNoBody = ({ body, headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && (body == null || headers['content-length'] === '0');

function refuseUnreadable(request: FastifyRequest, limitBytes: number): void {
  if (request.body === undefined) throw new AppError('unsupported_media_type', contentTypeMessage);
  // The service is told nothing of an encoding, so it would read compressed bytes as text.
  if (isEncoded(request)) throw new AppError('unsupported_media_type', encodedMessage);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

/** Breaks off what did not say its length and is longer than any answer may be. */
function boundedAnswer(body: Readable): Readable {
  const copy = countBytes(MAX_STREAMED_ANSWER_BYTES, () => new Error('the answer is too long'));
  pipeline(body, copy, () => undefined);
  return copy;
}

function countBytes(limitBytes: number, errorOf: () => Error): PassThrough {
  let bytes = 0;
  return new PassThrough({
    transform(chunk: Buffer, _encoding, next) {
      bytes += chunk.length;
      if (bytes > limitBytes) next(errorOf());
      else next(null, chunk);
    },
  });
}

const tooLarge = (limitBytes: number): AppError =>
  new AppError('body_too_large', `The request body is too large: this route takes at most ${limitBytes} bytes.`);

const contentTypeMessage = `Send the body as one of: ${streamedContentTypes.join(', ')}.`;

/** Fails once more than the limit has come, for a body that did not say its length. */
function bounded(source: unknown, limitBytes: number): Readable {
  if (!(source instanceof Readable)) throw new AppError('unsupported_media_type', contentTypeMessage);
  const copy = countBytes(limitBytes, () => tooLarge(limitBytes));
  // Not a pipeline: to destroy the request would close the connection before the caller is answered.
  source.once('error', (error: Error) => copy.destroy(error));
  source.once('close', () => {
    if (!source.readableEnded) copy.destroy(new Error('the body broke off'));
  });
  copy.on('error', () => undefined);
  return source.pipe(copy);
}
