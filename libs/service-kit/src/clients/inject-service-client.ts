import type { FastifyInstance } from 'fastify';
import type { ContextName } from '@capability-router/contracts';
import type { InternalTokens } from '../tokens/internal-tokens.js';
import { dispatchWithin } from './dispatch-within.js';
import { headersOf } from './request-headers.js';
import {
  UpstreamTimeout,
  UpstreamUnavailable,
  type ServiceRequest,
  type ServiceResponse,
  type StreamedRequest,
  type StreamedResponse,
  type StreamingServiceClient,
} from './service-client.js';
import { streamExchange } from './stream-exchange.js';

/**
 * Calls a service of the same process through its own router, so through the same guards and with the same tokens.
 * `peer` is asked at each call: services that call each other are created one after the other.
 */
export class InjectServiceClient implements StreamingServiceClient {
  constructor(
    private readonly service: ContextName,
    private readonly tokens: InternalTokens,
    private readonly peer: () => FastifyInstance | undefined,
  ) {}

  async request(request: ServiceRequest): Promise<ServiceResponse> {
    const fastify = this.peer();
    assertPlainPath(request.path);
    if (fastify === undefined) throw new UpstreamUnavailable(this.service, false, new Error('it is not running'));
    const headers = headersOf(request, await this.tokens.serviceToken(this.service));
    const { method, path, body } = request;
    const asked = { method, path, headers, ...(body === undefined ? {} : { body }) };
    const answer = dispatchWithin(fastify, asked).catch((cause: unknown) => {
      throw new UpstreamUnavailable(this.service, true, cause);
    });
    return withDeadline(answer, request.timeoutMs, () => new UpstreamTimeout(this.service, request.timeoutMs, true));
  }

  async stream(request: StreamedRequest): Promise<StreamedResponse> {
    const fastify = this.peer();
    assertPlainPath(request.path);
    if (fastify === undefined) throw new UpstreamUnavailable(this.service, false, new Error('it is not running'));
    const headers = headersOf(request, await this.tokens.serviceToken(this.service));
    return streamExchange(this.service, request, async ({ body, signal }) => {
      const { method, path: url } = request;
      const payload = body === undefined ? {} : { payload: body };
      const answer = await fastify.inject({ method, url, headers, ...payload, payloadAsStream: true, signal });
      return { status: answer.statusCode, headers: asHeaders(answer.headers), body: answer.stream() };
    });
  }
}

/** `inject` would resolve dot segments, and so reach a route that was not named. A socket never does. */
function assertPlainPath(path: string): void {
  const [bare = ''] = path.split('?', 1);
  // Characters that `URL` only encodes, such as braces, change no segment and are the service's to judge.
  const segments = (text: string): number => text.split('/').length;
  if (segments(new URL(bare, 'http://localhost').pathname) !== segments(bare)) {
    throw new Error('the path of a request must be normalised');
  }
}

function asHeaders(headers: Record<string, number | string | string[] | undefined>): ServiceResponse['headers'] {
  const result: ServiceResponse['headers'] = {};
  for (const [name, value] of Object.entries(headers)) result[name] = typeof value === 'number' ? String(value) : value;
  return result;
}

function withDeadline<T>(work: Promise<T>, timeoutMs: number, timedOut: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut()), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
