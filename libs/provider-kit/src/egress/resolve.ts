import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressRules } from './address-rules.js';
import { EgressRefusedError } from './egress-error.js';

/** Every address of a host name. Rejects as `node:dns` does. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** As the system resolves names: hosts file, search domains and all. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Asks once for all who ask at the same time. The system resolves names in libuv's few threads, which the whole process
 * shares: a provider whose DNS hangs must not fill them.
 */
export function askOnce(resolve: Resolve): Resolve {
  const underWay = new Map<string, ReturnType<Resolve>>();
  return (hostname) => {
    const known = underWay.get(hostname);
    if (known !== undefined) return known;
    const asked = resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asked);
    return asked;
  };
}

/** The addresses of a host that may be connected to, at least one. Throws `EgressRefusedError` where there is none. */
export async function vettedAddresses(
  hostname: string,
  rules: AddressRules,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  const literal = literalOf(hostname);
  const addresses = literal === undefined ? await resolve(hostname) : [literal];
  const allowed = addresses.filter(({ address }) => rules.refusal(address) === undefined);
  if (allowed.length > 0) return allowed;
  const [first] = addresses;
  const why = first === undefined ? 'has no address' : `is ${first.address} (${rules.refusal(first.address)})`;
  throw new EgressRefusedError('address', `${hostname} ${why}`);
}

/** A host that is an address already: no resolver is asked about it, so no lookup would see it. */
function literalOf(hostname: string): LookupAddress | undefined {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const family = isIP(address);
  return family === 0 ? undefined : { address, family };
}

/** For `net.connect`: answers vetted addresses only, and what it answers is what is connected to. */
export function vettedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    vettedAddresses(hostname, rules, resolve).then(
      (addresses) => {
        const wanted = addresses.filter(
          ({ family }) => (options.family !== 4 && options.family !== 6) || family === options.family,
        );
        const [first] = wanted;
        if (first === undefined)
          callback(new EgressRefusedError('address', `${hostname} has no address of that family`), '');
        else if (options.all === true) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
