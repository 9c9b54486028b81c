import type { ProviderEgress } from '@capability-router/contracts';
import { Agent, fetch as undiciFetch, request as undiciRequest, type RequestInit as UndiciRequestInit } from 'undici';
import { AddressRules } from './address-rules.js';
import { guardedConnector } from './connector.js';
import { DeadlineError } from './egress-error.js';
import { boundedResponse } from './bounded-response.js';
import { ProxyTunnel } from './proxy-tunnel.js';
import { ACCEPT_ENCODING, readBody } from './read-body.js';
import { askOnce, systemResolve, type Resolve } from './resolve.js';
import { vetUrl } from './vet-url.js';

/** These settings hold for every provider of a deployment. */
export interface EgressSettings {
  /** Milliseconds for resolving, connecting and the TLS handshake together. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Connections to one origin. Default 64. */
  readonly maxConnections?: number;
  /** Bytes of the header section of an answer. Default 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** Bytes of a body, decompressed. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Milliseconds that an idle connection is kept. Default 30,000. */
  readonly keepAliveMs?: number;
  /** HTTP proxy that all connections go through; user and password in the URL. */
  readonly proxyUrl?: string;
  /** The proxy resolves names and keeps our own rules about addresses. False: we vet, and it connects to the address. */
  readonly proxyResolvesNames?: boolean;
  /** Certificates to trust instead of the system's, PEM. */
  readonly ca?: string;
  /** How names are resolved. The system's way where absent. */
  readonly resolve?: Resolve;
}

export interface EgressRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Milliseconds for everything, from resolving the name to the last byte. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** Bytes; the client's where absent. */
  readonly maxBodyBytes?: number;
}

export interface EgressResponse {
  readonly status: number;
  /** Lower-case names; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export const egressDefaults = {
  connectTimeoutMs: 5_000,
  maxConnections: 64,
  maxHeaderBytes: 16_384,
  maxBodyBytes: 8 * 1_024 * 1_024,
  keepAliveMs: 30_000,
} as const;

/** Origins that one provider's connections are kept for. */
const MAX_ORIGINS = 64;

/**
 * Requests that cannot be fooled into reaching anything but what the policy allows: the URL and every address are vetted,
 * the vetted address is the one that is connected to, redirects are answers and never followed, and time, headers, body
 * and decompression are bounded. One client has connections of its own: make one per provider.
 */
export class EgressClient {
  readonly maxBodyBytes: number;
  private readonly agent: Agent;
  private readonly tunnel: ProxyTunnel | undefined;

  /** Throws a `RangeError` where a network of the policy cannot be read. */
  constructor(
    private readonly policy: ProviderEgress,
    settings: EgressSettings = {},
  ) {
    const { connectTimeoutMs, maxConnections, maxHeaderBytes, maxBodyBytes, keepAliveMs } = {
      ...egressDefaults,
      ...settings,
    };
    const { proxyUrl, proxyResolvesNames, ca } = settings;
    this.maxBodyBytes = maxBodyBytes;
    this.tunnel = proxyUrl === undefined ? undefined : new ProxyTunnel(proxyUrl, connectTimeoutMs);
    this.agent = new Agent({
      connect: guardedConnector({
        rules: new AddressRules(policy.allowNetworks),
        resolve: askOnce(settings.resolve ?? systemResolve),
        connectTimeoutMs,
        ...(this.tunnel === undefined
          ? {}
          : { proxy: { tunnel: this.tunnel, resolvesNames: proxyResolvesNames ?? false } }),
        ...(ca === undefined ? {} : { ca }),
      }),
      connections: maxConnections,
      pipelining: 1,
      maxOrigins: MAX_ORIGINS,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      // The deadline of a request bounds all its phases at once.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * One exchange. Throws `EgressRefusedError` before anything is sent, `DeadlineError` when the time is up,
   * `UnreadableAnswerError` for a body that is too large or packed strangely, and what undici throws.
   */
  async request(target: string | URL, request: EgressRequest): Promise<EgressResponse> {
    const url = vetUrl(target, this.policy);
    const abort = new AbortController();
    const giveUp = (): void => abort.abort(new DeadlineError('the time for the exchange is up'));
    if (request.deadlineMs <= 0 || request.signal?.aborted === true) giveUp();
    const timer = setTimeout(giveUp, request.deadlineMs);
    request.signal?.addEventListener('abort', giveUp, { once: true });
    try {
      // undici sees an abort once there is a connection; making one ends by its own timeout.
      return await Promise.race([this.exchange(url, request, abort.signal), rejectedBy(abort.signal)]);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', giveUp);
    }
  }

  private async exchange(url: URL, request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const answer = await undiciRequest(url, {
      dispatcher: this.agent,
      method: request.method ?? 'GET',
      headers: { 'accept-encoding': ACCEPT_ENCODING, ...request.headers },
      body: request.body ?? null,
      signal,
    });
    const headers = plainHeaders(answer.headers);
    const about = { encoding: headers['content-encoding'], length: headers['content-length'] };
    const body = await readBody(answer.body, about, request.maxBodyBytes ?? this.maxBodyBytes);
    return { status: answer.statusCode, headers, body };
  }

  /** For libraries that bring their own client: the same rules, as a `fetch`. Bodies are bounded while they stream. */
  async fetch(target: string | URL, init: RequestInit = {}, maxBodyBytes = this.maxBodyBytes): Promise<Response> {
    const url = vetUrl(target, this.policy);
    const answer = await undiciFetch(url, {
      ...(init as unknown as UndiciRequestInit),
      redirect: 'manual',
      dispatcher: this.agent,
    });
    return boundedResponse(answer, maxBodyBytes);
  }

  /** Requests under way end first. */
  async close(): Promise<void> {
    await this.agent.close();
    await this.tunnel?.close();
  }

  /** Requests under way fail. */
  async destroy(): Promise<void> {
    await this.agent.destroy();
    await this.tunnel?.close();
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as DeadlineError);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}
