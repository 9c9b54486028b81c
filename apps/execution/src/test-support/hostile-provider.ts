import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { behaviours } from './hostile-behaviours.js';

export interface HostileProvider {
  /** `http://127.0.0.1:port`; each path is a behaviour. */
  readonly origin: string;
  /** Accepts connections and never says a word: a TLS handshake that does not begin. */
  readonly muteOrigin: string;
  /** Behaviours that were asked for, in order. */
  readonly requests: string[];
  /** Bytes that the provider has got rid of so far. */
  readonly bytesSent: () => number;
  /** Connections that are open, with an exchange on them that has not ended. */
  readonly busySockets: () => number;
  /** Connections that are open, idle ones included. */
  readonly openSockets: () => number;
  /** Resolves names at a real DNS server that answers none but `silent` with an error, and that one never. */
  readonly resolve: (hostname: string) => Promise<readonly { address: string; family: number }[]>;
  close(): Promise<void>;
}

/** A provider that does everything wrong that a provider can do, on real sockets of the loopback. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const busy = new Map<Socket, number>();
  let sentByClosed = 0;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sentByClosed += socket.bytesWritten - socket.writableLength;
      sockets.delete(socket);
      busy.delete(socket);
    });
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const behaviour = (request.url ?? '/').slice(1);
    requests.push(behaviour);
    const { socket } = request;
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.on('finish', () => busy.set(socket, (busy.get(socket) ?? 1) - 1));
    const act = behaviours[behaviour];
    if (act === undefined) throw new Error(`the hostile provider has no behaviour "${behaviour}"`);
    act(request, response);
  });
  server.on('connection', track);
  server.on('clientError', () => undefined);
  const mute = createTcpServer((socket) => {
    track(socket);
    busy.set(socket, 1);
    // Only who reads hears that the other side has gone.
    socket.resume();
  });
  const dns = createSocket('udp4');
  dns.on('message', (query, from) => {
    // QR and the code for "no such name"; the question is sent back as it came.
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8183, 2);
    if (!query.includes('silent')) dns.send(answer, from.port, from.address);
  });
  await Promise.all([listening(server), listening(mute)]);
  dns.bind(0, '127.0.0.1');
  await once(dns, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${dns.address().port}`]);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    muteOrigin: `https://127.0.0.1:${(mute.address() as AddressInfo).port}`,
    requests,
    bytesSent: () =>
      [...sockets].reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, sentByClosed),
    busySockets: () => [...busy.values()].filter((exchanges) => exchanges > 0).length,
    openSockets: () => sockets.size,
    resolve: async (hostname) => {
      if (hostname === '127.0.0.1') return [{ address: hostname, family: 4 }];
      return (await resolver.resolve4(hostname)).map((address) => ({ address, family: 4 }));
    },
    async close() {
      resolver.cancel();
      dns.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([server, mute].map((one) => new Promise((resolve) => one.close(resolve))));
    },
  };
}

async function listening(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
