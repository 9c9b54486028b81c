import { Pool } from 'undici';
import type { ContextName } from '@capability-router/contracts';
import type { InternalTokens } from '../tokens/internal-tokens.js';
import { exchange } from './exchange.js';
import { headersOf } from './request-headers.js';
import { UpstreamUnavailable } from './service-client.js';
import type {
  ServiceRequest,
  ServiceResponse,
  StreamedRequest,
  StreamedResponse,
  StreamingServiceClient,
} from './service-client.js';
import { streamExchange } from './stream-exchange.js';

/** Connections to one address. */
const CONNECTIONS = 64;
const CONNECT_TIMEOUT_MS = 2_000;
/** Milliseconds an idle connection is kept; less than our servers keep one, so that none is closed under a request. */
const KEEP_ALIVE_MS = 30_000;

export interface HttpServiceClientOptions {
  readonly service: ContextName;
  /** One or more addresses of the same service, used in turn. */
  readonly urls: readonly string[];
  readonly tokens: InternalTokens;
  readonly connections?: number;
}

/** Calls a service over keep-alive connections. */
export class HttpServiceClient implements StreamingServiceClient {
  private readonly pools: readonly Pool[];
  private next = 0;

  constructor(private readonly options: HttpServiceClientOptions) {
    if (options.urls.length === 0) throw new Error(`no address of ${options.service} is configured`);
    this.pools = options.urls.map(
      (url) =>
        new Pool(url, {
          connections: options.connections ?? CONNECTIONS,
          pipelining: 1,
          connectTimeout: CONNECT_TIMEOUT_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          keepAliveMaxTimeout: KEEP_ALIVE_MS,
          // The deadline of the whole exchange and the size of its answer are kept by `exchange`; a stream is of any size.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    );
  }

  async request(request: ServiceRequest): Promise<ServiceResponse> {
    const token = this.options.tokens.serviceToken(this.options.service);
    const headers = headersOf(request, typeof token === 'string' ? token : await token);
    // Another address is tried only while no byte was written, which is no retry: nobody has seen the request.
    for (let left = this.pools.length - 1; left > 0; left -= 1) {
      try {
        return await exchange(this.pick(), this.options.service, request, headers);
      } catch (error) {
        if (!(error instanceof UpstreamUnavailable) || error.requestWritten) throw error;
      }
    }
    return exchange(this.pick(), this.options.service, request, headers);
  }

  async stream(request: StreamedRequest): Promise<StreamedResponse> {
    const { service, tokens } = this.options;
    const headers = headersOf(request, await tokens.serviceToken(service));
    return streamExchange(service, request, async (attempt) => {
      const { method, path } = request;
      const body = attempt.body === undefined ? {} : { body: attempt.body };
      const answer = await this.pick().request({ method, path, headers, ...body, signal: attempt.signal });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.close()));
  }

  private pick(): Pool {
    const pool = this.pools[this.next % this.pools.length];
    this.next = (this.next + 1) % this.pools.length;
    if (pool === undefined) throw new Error('a client always has a pool');
    return pool;
  }
}
