import { Agent, type Dispatcher, fetch, request, type RequestInit as UndiciRequestInit, type Response } from 'undici';
import type { AddressRules } from './address-rules.js';
import { guardedConnector } from './connector.js';
import type { egressDefaults, EgressSettings } from './egress-settings.js';
import { ProxyTunnel } from './proxy-tunnel.js';
import { askOnce, systemResolve } from './resolve.js';

/** Origins that one provider's connections are kept for. */
const MAX_ORIGINS = 64;

type ConnectionSettings = EgressSettings & { readonly [Setting in keyof typeof egressDefaults]: number };

/** The connections of one egress client. The file is loaded with the first exchange, and undici with it. */
export class EgressConnections {
  private readonly agent: Agent;
  private readonly tunnel: ProxyTunnel | undefined;

  constructor(rules: AddressRules, settings: ConnectionSettings) {
    const { connectTimeoutMs, maxConnections, maxHeaderBytes, keepAliveMs, proxyUrl, proxyResolvesNames, ca } =
      settings;
    this.tunnel = proxyUrl === undefined ? undefined : new ProxyTunnel(proxyUrl, connectTimeoutMs);
    this.agent = new Agent({
      connect: guardedConnector({
        rules,
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

  request(url: URL, options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>): Promise<Dispatcher.ResponseData> {
    return request(url, { ...options, dispatcher: this.agent });
  }

  fetch(url: URL, init: RequestInit): Promise<Response> {
    return fetch(url, { ...(init as unknown as UndiciRequestInit), dispatcher: this.agent });
  }

  async close(): Promise<void> {
    await this.agent.close();
    await this.tunnel?.close();
  }

  async destroy(): Promise<void> {
    await this.agent.destroy();
    await this.tunnel?.close();
  }
}
