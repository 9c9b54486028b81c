export interface SpecialNetwork {
  readonly cidr: string;
  readonly purpose: string;
  /**
   * Not even an operator may open it: nothing that answers HTTP lives there, or only what hands out the machine's own
   * credentials.
   */
  readonly never?: true;
}

/**
 * Networks that are not the public internet, after the IANA special-purpose address registries for IPv4 (RFC 6890 and
 * later) and IPv6, the multicast registries, and deprecated forms that carry an IPv4 address inside.
 */
export const specialNetworks: readonly SpecialNetwork[] = [
  { cidr: '0.0.0.0/8', purpose: 'this network', never: true },
  { cidr: '10.0.0.0/8', purpose: 'private use' },
  // Before the networks that they are in: the first that contains an address decides.
  { cidr: '100.100.100.200/32', purpose: 'cloud metadata', never: true },
  { cidr: 'fd00:ec2::254/128', purpose: 'cloud metadata', never: true },
  { cidr: '100.64.0.0/10', purpose: 'carrier-grade NAT' },
  { cidr: '127.0.0.0/8', purpose: 'loopback' },
  { cidr: '169.254.0.0/16', purpose: 'link-local, cloud metadata', never: true },
  { cidr: '172.16.0.0/12', purpose: 'private use' },
  { cidr: '192.0.0.0/24', purpose: 'IETF protocol assignments' },
  { cidr: '192.0.2.0/24', purpose: 'documentation' },
  { cidr: '192.31.196.0/24', purpose: 'AS112' },
  { cidr: '192.52.193.0/24', purpose: 'automatic multicast tunneling' },
  { cidr: '192.88.99.0/24', purpose: '6to4 relay anycast' },
  { cidr: '192.168.0.0/16', purpose: 'private use' },
  { cidr: '192.175.48.0/24', purpose: 'AS112' },
  { cidr: '198.18.0.0/15', purpose: 'benchmarking' },
  { cidr: '198.51.100.0/24', purpose: 'documentation' },
  { cidr: '203.0.113.0/24', purpose: 'documentation' },
  { cidr: '224.0.0.0/4', purpose: 'multicast', never: true },
  { cidr: '240.0.0.0/4', purpose: 'reserved and broadcast', never: true },
  { cidr: '::/128', purpose: 'unspecified', never: true },
  { cidr: '::1/128', purpose: 'loopback' },
  { cidr: '::/96', purpose: 'IPv4-compatible', never: true },
  { cidr: '::ffff:0:0/96', purpose: 'IPv4-mapped', never: true },
  { cidr: '::ffff:0:0:0/96', purpose: 'IPv4-translated', never: true },
  { cidr: '64:ff9b::/96', purpose: 'NAT64' },
  { cidr: '64:ff9b:1::/48', purpose: 'local NAT64' },
  { cidr: '100::/64', purpose: 'discard' },
  { cidr: '100:0:0:1::/64', purpose: 'dummy prefix' },
  { cidr: '2001::/32', purpose: 'Teredo', never: true },
  { cidr: '2001::/23', purpose: 'IETF protocol assignments' },
  { cidr: '2001:db8::/32', purpose: 'documentation' },
  { cidr: '2002::/16', purpose: '6to4', never: true },
  { cidr: '2620:4f:8000::/48', purpose: 'AS112' },
  { cidr: '3fff::/20', purpose: 'documentation' },
  { cidr: '5f00::/16', purpose: 'segment routing identifiers' },
  { cidr: 'fc00::/7', purpose: 'unique local' },
  { cidr: 'fe80::/10', purpose: 'link-local', never: true },
  { cidr: 'fec0::/10', purpose: 'site-local' },
  { cidr: 'ff00::/8', purpose: 'multicast', never: true },
];

/** The only part of IPv6 from which public addresses are assigned (RFC 4291). */
export const globalUnicastIpv6 = '2000::/3';

/** RFC 6052: the last four bytes are the IPv4 address that is reached. */
export const nat64Prefix = '64:ff9b::/96';
