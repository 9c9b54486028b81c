import type { Duplex } from 'node:stream';
import { Pool } from 'undici';
import { EgressProxyError } from './egress-error.js';

/** Milliseconds in which the proxy has to answer a CONNECT. */
const CONNECT_ANSWER_TIMEOUT_MS = 10_000;
const OK = 200;

/** Tunnels through the operator's egress proxy (HTTP CONNECT). The proxy's own address is the operator's and not vetted. */
export class ProxyTunnel {
  private readonly pool: Pool;
  private readonly authorization: Record<string, string>;

  /** `proxyUrl`: `http://` or `https://`, with user and password where the proxy wants them. */
  constructor(proxyUrl: string, connectTimeoutMs: number) {
    const url = new URL(proxyUrl);
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    this.authorization = user === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
    this.pool = new Pool(url.origin, {
      connect: { timeout: connectTimeoutMs },
      headersTimeout: CONNECT_ANSWER_TIMEOUT_MS,
    });
  }

  /** A connection to `host:port` as the proxy made it; an IPv6 address comes in brackets. */
  async open(host: string, port: number): Promise<Duplex> {
    const authority = `${host}:${port}`;
    const headers = { host: authority, ...this.authorization };
    const { statusCode, socket } = await this.pool.connect({ path: authority, headers }).catch((cause: unknown) => {
      throw new EgressProxyError('the egress proxy cannot be reached', { cause });
    });
    if (statusCode === OK) return socket;
    socket.destroy();
    throw new EgressProxyError(`the egress proxy answered ${statusCode} for ${authority}`);
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }
}
