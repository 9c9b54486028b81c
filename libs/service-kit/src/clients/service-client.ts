import type { Readable } from 'node:stream';
import type { ContextName } from '@capability-router/contracts';

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** The account assertion to pass on; without it the request speaks for the calling service only. */
  readonly assertion?: string;
  /** Milliseconds until the whole answer must be there. */
  readonly timeoutMs: number;
  /**
   * The request may reach the service twice, on two of its replicas, and counts once: a read, or a command that is
   * idempotent by the id it names. Where absent, a GET is.
   */
  readonly repeatable?: boolean;
}

export const isRepeatable = ({ method, repeatable }: ServiceRequest): boolean => repeatable ?? method === 'GET';

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** Calls one service. Never sends twice what may have been received, unless it is repeatable. */
export interface ServiceClient {
  /** Any HTTP answer is a value. Throws `UpstreamUnavailable` or `UpstreamTimeout`. */
  request(request: ServiceRequest): Promise<ServiceResponse>;
}

/** A request whose body and answer are passed on as they come, and are never held whole. */
export interface StreamedRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** The path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Read no faster than the service takes it; left as it is where the service answers without reading it to its end.
   * GET and HEAD have none.
   */
  readonly body?: Readable;
  readonly assertion?: string;
  /** Milliseconds for which neither a byte of the body nor of the answer may move. */
  readonly idleTimeoutMs: number;
  /** Breaks the exchange off, e.g. because the caller has gone. */
  readonly signal: AbortSignal;
}

export interface StreamedResponse {
  readonly status: number;
  readonly headers: ServiceResponse['headers'];
  /** Fails where the answer does not come to its end. Whoever does not read it destroys it. */
  readonly body: Readable;
}

export interface StreamingServiceClient extends ServiceClient {
  /**
   * Resolves with the head of the answer, which may come before the body is sent. Never sent twice. Throws
   * `UpstreamUnavailable`, `UpstreamTimeout`, or the error of the body where that broke.
   */
  stream(request: StreamedRequest): Promise<StreamedResponse>;
}

export type ServiceClients = Record<ContextName, StreamingServiceClient>;

/** No answer, or not a whole one. */
export class UpstreamUnavailable extends Error {
  constructor(
    readonly service: ContextName,
    /** False proves that the service has not seen the request. */
    readonly requestWritten: boolean,
    cause: unknown,
  ) {
    super(`${service} is unavailable`, { cause });
    this.name = 'UpstreamUnavailable';
  }
}

/** The answer was not there in time; the service may still be working on it. */
export class UpstreamTimeout extends Error {
  constructor(
    readonly service: ContextName,
    readonly timeoutMs: number,
    /** False proves that the service has not seen the request. */
    readonly requestWritten: boolean,
  ) {
    super(`${service} did not answer within ${timeoutMs} ms`);
    this.name = 'UpstreamTimeout';
  }
}
