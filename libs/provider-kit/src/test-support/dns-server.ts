import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import dnsPacket from 'dns-packet';
import type { Resolve } from '../egress/resolve.js';

export interface DnsServer {
  /** Asks this server, every time anew. */
  readonly resolve: Resolve;
  /** Names that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A real DNS server on the loopback. `answer` gives the IPv4 addresses of a name; none is NXDOMAIN, undefined is silence. */
export async function startDnsServer(
  answer: (name: string, queryNumber: number) => readonly string[] | undefined,
): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const query = dnsPacket.decode(message);
    const name = query.questions?.[0]?.name ?? '';
    asked.push(name);
    const addresses = answer(name, asked.length);
    if (addresses === undefined) return;
    const NXDOMAIN = 3;
    const reply = dnsPacket.encode({
      type: 'response',
      id: query.id ?? 0,
      flags: addresses.length === 0 ? NXDOMAIN : 0,
      questions: query.questions ?? [],
      answers: addresses.map((data) => ({ type: 'A', name, ttl: 0, data })),
    });
    socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked,
    resolve: async (hostname) => (await resolver.resolve4(hostname)).map((address) => ({ address, family: 4 })),
    close: () =>
      new Promise((resolve) => {
        resolver.cancel();
        socket.close(() => resolve());
      }),
  };
}
