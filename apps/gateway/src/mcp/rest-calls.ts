import { publicHeaders } from '@capability-router/contracts';
import { dispatchWithin } from '@capability-router/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A request to the interface that this gateway serves. */
export interface RestRequest {
  readonly method: 'GET' | 'POST';
  /** From the origin on, with its query. */
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RestAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
  /** The interface was given an idempotency key that it has answered before. */
  readonly replayed: boolean;
  /** Seconds; absent where it does not ask to wait. */
  readonly retryAfterSeconds?: number;
}

/** These headers of a request to the endpoint hold for the request that it becomes. */
const passedHeaders = ['authorization', 'accept-language', 'tracestate', 'user-agent'] as const;

/** Asks the public routes of this listener within the process, as the same caller: nothing that holds there is passed by. */
export class RestCalls {
  constructor(private readonly server: FastifyInstance) {}

  async ask({ method, url, body, headers }: RestRequest, caller: FastifyRequest): Promise<RestAnswer> {
    const sent: Record<string, string> = { ...headers, [publicHeaders.requestId]: caller.id };
    for (const name of passedHeaders) {
      const value = caller.headers[name];
      if (typeof value === 'string') sent[name] = value;
    }
    if (caller.traceparent !== undefined) sent['traceparent'] = caller.traceparent;
    if (body !== undefined) sent['content-type'] = 'application/json';
    const response = await dispatchWithin(this.server, {
      method,
      path: url,
      headers: sent,
      remoteAddress: caller.ip,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const retryAfter = response.headers['retry-after'];
    return {
      status: response.status,
      text: response.body.toString(),
      replayed: response.headers[publicHeaders.idempotencyReplayed] === 'true',
      ...(retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }),
    };
  }
}
