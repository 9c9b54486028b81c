import { isIPv6, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { buildConnector } from 'undici';
import type { AddressRules } from './address-rules.js';
import { EgressRefusedError } from './egress-error.js';
import type { ProxyTunnel } from './proxy-tunnel.js';
import { vettedAddresses, vettedLookup, type Resolve } from './resolve.js';

export interface ConnectorOptions {
  readonly rules: AddressRules;
  readonly resolve: Resolve;
  /** Milliseconds for resolving, connecting and the TLS handshake together. */
  readonly connectTimeoutMs: number;
  readonly proxy?: { readonly tunnel: ProxyTunnel; readonly resolvesNames: boolean };
  /** Certificates to trust beside the system's, PEM. */
  readonly ca?: string;
}

type Connect = ReturnType<typeof buildConnector>;

/** The one place from which connections to providers start: every one is to an address that was vetted just before. */
export function guardedConnector(options: ConnectorOptions): Connect {
  const { rules, resolve, connectTimeoutMs, proxy } = options;
  const tlsOptions: ConnectionOptions = options.ca === undefined ? {} : { ca: options.ca };
  const connect = buildConnector({
    ...tlsOptions,
    timeout: connectTimeoutMs,
    lookup: vettedLookup(rules, resolve),
    autoSelectFamily: true,
  } as buildConnector.BuildOptions);
  return proxy === undefined
    ? directConnector(connect, rules, resolve)
    : tunnelConnector(connect, { ...options, proxy });
}

function directConnector(connect: Connect, rules: AddressRules, resolve: Resolve): Connect {
  return (target, callback) => {
    const start = async (): Promise<void> => {
      // Node resolves no literal address, so the lookup below would never hear of it.
      if (isLiteral(target.hostname)) await vettedAddresses(target.hostname, rules, resolve);
      connect(target, (...[error, socket]) => {
        if (error !== null) callback(error, null);
        else verify(socket, rules, callback);
      });
    };
    start().catch((error: unknown) => callback(error as Error, null));
  };
}

/** The address that is connected to is the one that was vetted; this would only ever speak up about a mistake of ours. */
function verify(socket: Socket, rules: AddressRules, callback: buildConnector.Callback): void {
  const { remoteAddress } = socket;
  // Without an address it is closed already, which undici finds out by itself.
  const refusal = remoteAddress === undefined ? undefined : rules.refusal(plainAddress(remoteAddress));
  if (refusal === undefined) {
    callback(null, socket);
    return;
  }
  socket.destroy();
  callback(new EgressRefusedError('address', `connected to ${remoteAddress} (${refusal})`), null);
}

/** A dual-stack socket shows an IPv4 peer as `::ffff:a.b.c.d`. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '');

function tunnelConnector(
  connect: Connect,
  { rules, resolve, proxy }: ConnectorOptions & Required<Pick<ConnectorOptions, 'proxy'>>,
): Connect {
  return (target, callback) => {
    const start = async (): Promise<void> => {
      const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port);
      const host = proxy.resolvesNames && !isLiteral(target.hostname) ? target.hostname : await vettedHost();
      const socket = await proxy.tunnel.open(host, port);
      if (target.protocol === 'https:') connect({ ...target, httpSocket: socket as Socket }, callback);
      else callback(null, socket as Socket);
    };
    const vettedHost = async (): Promise<string> => {
      const [first] = await vettedAddresses(target.hostname, rules, resolve);
      const address = first?.address ?? '';
      return isIPv6(address) ? `[${address}]` : address;
    };
    start().catch((error: unknown) => callback(error as Error, null));
  };
}

const isLiteral = (hostname: string): boolean =>
  hostname.startsWith('[') || /^[\d.]+$/.test(hostname) || isIPv6(hostname);
