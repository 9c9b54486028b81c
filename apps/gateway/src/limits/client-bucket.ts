import { isIPv6 } from 'node:net';

/**
 * The name under which an address without a credential is counted. An IPv6 host usually has a whole /64 to itself, so
 * that is the unit; an IPv4 address in IPv6 form counts as itself.
 */
export function clientBucket(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [bare = address] = address.split('%', 1);
  return isIPv6(bare) ? `${expandIpv6(bare).slice(0, 4).join(':')}::/64` : address;
}

function expandIpv6(address: string): string[] {
  const [head = '', tail] = address.split('::', 2);
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after];
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}
