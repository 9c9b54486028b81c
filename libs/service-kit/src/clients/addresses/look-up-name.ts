import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The addresses of a host, of either family. Rejects where the name is not known, or nobody answers. */
export type LookUpName = (hostname: string) => Promise<readonly string[]>;

/** Names that are looked up at one time, of the four threads that files need as well. */
const MAX_AT_ONCE = 2;

/** As the machine resolves names, with its hosts file and search domains. */
export const lookUpByMachine: LookUpName = async (hostname) => {
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address }) => address);
};

/**
 * Two names at a time: the system's call takes a thread for as long as a name server is silent, and a name that it is silent
 * about does not keep the others waiting.
 */
export function lookUpFewAtOnce(lookUp: LookUpName = lookUpByMachine): LookUpName {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (hostname) => {
    if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await lookUp(hostname);
    } finally {
      // Whoever waits takes the place over.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
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
