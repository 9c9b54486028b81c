import { isIP } from 'node:net';
import { internalHeaders } from '@capability-router/contracts';

/** The gateway sends the caller's address in it. It is believed, because only the gateway may call. */
export const CLIENT_ADDRESS_HEADER = internalHeaders.clientAddress;

/** Registrations are counted by both. Both are canonical: equal addresses give equal texts, however they are written. */
export interface ClientNetwork {
  readonly address: string;
  /** The /24 of an IPv4 address, the /64 of an IPv6 address: what one household or host usually controls. */
  readonly network: string;
}

/** Undefined for a text that is no IP address. An IPv4 address mapped into IPv6 counts as IPv4; a zone is ignored. */
export function clientNetworkOf(text: string): ClientNetwork | undefined {
  const bare = text.trim().replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return ipv4Network(bare);
    case 6: {
      const groups = ipv6Groups(bare);
      const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
      return mapped ? ipv4Network(embeddedIpv4(groups)) : ipv6Network(groups);
    }
    default:
      return undefined;
  }
}

/** Without an address the caps could not hold, so nothing is done: the gateway has a bug. */
export function requireClient(address: string | undefined): ClientNetwork {
  const client = address === undefined ? undefined : clientNetworkOf(address);
  if (client === undefined) throw new Error(`the gateway sent no client address in ${CLIENT_ADDRESS_HEADER}`);
  return client;
}

function ipv4Network(address: string): ClientNetwork {
  return { address, network: `${address.slice(0, address.lastIndexOf('.'))}.0/24` };
}

function ipv6Network(groups: readonly number[]): ClientNetwork {
  const hex = groups.map((group) => group.toString(16));
  return { address: hex.join(':'), network: `${hex.slice(0, 4).join(':')}::/64` };
}

function embeddedIpv4(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The eight groups of an address that `isIP` has accepted. */
function ipv6Groups(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = parseGroups(head);
  if (tail === undefined) return before;
  const after = parseGroups(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function parseGroups(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
