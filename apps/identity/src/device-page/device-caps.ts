import type { DevicePolicy } from '../device-codes/device-policy.js';
import { pepperedHash } from '../email-addresses/peppered-hash.js';
import type { ClientNetwork } from '../trial-agents/client-network.js';
import type { DayCap } from '../trial-agents/registration-caps.js';

const capOf = (kind: string, name: string, allowed: number): DayCap => ({
  scope: `device-${kind}:${name}`,
  amount: 1n,
  allowed: BigInt(allowed),
});

/** A user code of no program uses one of each. All of them are taken in this order, so that two wait and never deadlock. */
export const wrongCodeCaps = (client: ClientNetwork, policy: DevicePolicy): readonly DayCap[] => [
  capOf('code-address', client.address, policy.wrongPerAddressPerDay),
  capOf('code-network', client.network, policy.wrongPerNetworkPerDay),
];

/** A mail uses one of each. `canonical`: tags and dots make no further mailbox. */
export const signInMailCaps = (
  { client, canonical }: { readonly client: ClientNetwork; readonly canonical: string },
  policy: DevicePolicy,
  pepper: string,
): readonly DayCap[] => [
  capOf('mail-address', client.address, policy.mailsPerAddressPerDay),
  capOf('mail-network', client.network, policy.mailsPerNetworkPerDay),
  capOf('mail-email', pepperedHash(pepper, 'email-address', canonical).toString('hex'), policy.mailsPerEmailPerDay),
];
