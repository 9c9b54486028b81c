import type { ProviderEgress } from '@capability-router/contracts';
import { AddressRules } from './address-rules.js';
import { boundedResponse } from './bounded-response.js';
import type { EgressConnections } from './egress-connections.js';
import { DeadlineError } from './egress-error.js';
import { egressDefaults, type EgressSettings } from './egress-settings.js';
import { ACCEPT_ENCODING, readBody } from './read-body.js';
import { vetUrl } from './vet-url.js';

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

/**
 * Requests that cannot be fooled into reaching anything but what the policy allows: the URL and every address are vetted,
 * the vetted address is the one that is connected to, redirects are answers and never followed, and time, headers, body
 * and decompression are bounded. One client has connections of its own: make one per provider.
 */
export class EgressClient {
  readonly maxBodyBytes: number;
  private readonly rules: AddressRules;
  private connections: Promise<EgressConnections> | undefined;

  /** Throws a `RangeError` where a network of the policy cannot be read. */
  constructor(
    private readonly policy: ProviderEgress,
    private readonly settings: EgressSettings = {},
  ) {
    this.maxBodyBytes = settings.maxBodyBytes ?? egressDefaults.maxBodyBytes;
    this.rules = new AddressRules(policy.allowNetworks);
  }

  /** The HTTP client is loaded for the first exchange of the process: many processes never reach a provider. */
  private opened(): Promise<EgressConnections> {
    return (this.connections ??= import('./egress-connections.js').then(
      ({ EgressConnections: Connections }) => new Connections(this.rules, { ...egressDefaults, ...this.settings }),
    ));
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
    const connections = await this.opened();
    const answer = await connections.request(url, {
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
    const connections = await this.opened();
    return boundedResponse(await connections.fetch(url, { ...init, redirect: 'manual' }), maxBodyBytes);
  }

  /** Requests under way end first; those that come later fail. */
  async close(): Promise<void> {
    await (await this.opened()).close();
  }

  /** Requests under way fail, and those that come later. */
  async destroy(): Promise<void> {
    await (await this.opened()).destroy();
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
