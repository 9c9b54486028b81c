import type { ContextName } from '@capability-router/contracts';

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** The account assertion to pass on; without it the request speaks for the calling service only. */
  readonly assertion?: string;
  /** Milliseconds until the whole answer must be there. */
  readonly timeoutMs: number;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** Calls one service. Never retries what may have been received. */
export interface ServiceClient {
  /** Any HTTP answer is a value. Throws `UpstreamUnavailable` or `UpstreamTimeout`. */
  request(request: ServiceRequest): Promise<ServiceResponse>;
}

export type ServiceClients = Record<ContextName, ServiceClient>;

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
