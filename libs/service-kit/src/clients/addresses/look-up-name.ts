import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The addresses of a host, of either family. Rejects where the name is not known, or nobody answers. */
export type LookUpName = (hostname: string) => Promise<readonly string[]>;

/**
 * As the machine resolves names, with its hosts file and search domains. One name at a time: the system's call takes a thread
 * of the few that files need as well, for as long as a name server is silent.
 */
export function lookUpOneByOne(): LookUpName {
  let before: Promise<unknown> = Promise.resolve();
  return (hostname) => {
    const found = before.then(async () => {
      const answers = await lookup(hostname, { all: true });
      return answers.map(({ address }) => address);
    });
    before = found.catch(() => undefined);
    return found;
  };
}

/**
 * The addresses of one family, IPv4 where there are any: a replica that has both is one replica. Sorted, so that equal answers
 * are equal.
 */
export function ofOneFamily(addresses: readonly string[]): string[] {
  const [four, six] = [4, 6].map((family) => new Set(addresses.filter((address) => isIP(address) === family)));
  return [...((four?.size ?? 0) > 0 ? (four ?? []) : (six ?? []))].sort();
}

/** The name in a URL; undefined where it has an address. */
export function nameIn(url: string): string | undefined {
  const { hostname } = new URL(url);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : undefined;
}
