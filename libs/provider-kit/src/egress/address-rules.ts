import ipaddr from 'ipaddr.js';
import { globalUnicastIpv6, nat64Prefix, specialNetworks } from './special-networks.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

const parseNetwork = (cidr: string): Network => ipaddr.parseCIDR(cidr);

const special = specialNetworks.map((network) => ({ ...network, network: parseNetwork(network.cidr) }));
const globalUnicast = parseNetwork(globalUnicastIpv6);
const nat64 = parseNetwork(nat64Prefix);
/** Bytes of an IPv6 address before the IPv4 address that NAT64 puts into it. */
const NAT64_PREFIX_BYTES = 12;

function contains([base, bits]: Network, address: Address): boolean {
  if (base.kind() !== address.kind()) return false;
  return base instanceof ipaddr.IPv4
    ? (address as ipaddr.IPv4).match(base, bits)
    : (address as ipaddr.IPv6).match(base, bits);
}

/** Decides which addresses may be connected to: public ones, and the networks that the operator opens. */
export class AddressRules {
  private readonly opened: readonly Network[];

  /** `allowNetworks`: CIDR. Throws a `RangeError` naming the first that is none. */
  constructor(allowNetworks: readonly string[] = []) {
    this.opened = allowNetworks.map((cidr) => {
      if (!ipaddr.isValidCIDR(cidr)) throw new RangeError(`"${cidr}" is no network in CIDR form, like 10.20.0.0/16`);
      return parseNetwork(cidr);
    });
  }

  /** Says why this address must not be connected to; undefined where it may. */
  refusal(text: string): string | undefined {
    if (!ipaddr.isValid(text)) return 'unreadable';
    return this.refusalOf(ipaddr.parse(text));
  }

  private refusalOf(address: Address): string | undefined {
    const hit = special.find(({ network }) => contains(network, address));
    if (hit?.never === true) return hit.purpose;
    if (this.opened.some((network) => contains(network, address))) return this.refusalOfEmbedded(address);
    if (hit !== undefined) return hit.purpose;
    if (address.kind() === 'ipv6' && !contains(globalUnicast, address)) return 'not assigned';
    return undefined;
  }

  /** An opened NAT64 prefix leads to IPv4 addresses, which have rules of their own. */
  private refusalOfEmbedded(address: Address): string | undefined {
    if (!contains(nat64, address)) return undefined;
    return this.refusalOf(new ipaddr.IPv4(address.toByteArray().slice(NAT64_PREFIX_BYTES)));
  }
}
