import { pepperedHash } from '../email-addresses/peppered-hash.js';
import type { ClientNetwork } from '../trial-agents/client-network.js';
import type { DayCap } from '../trial-agents/registration-caps.js';
import type { ClaimPolicy } from './claim-policy.js';

export interface ClaimCap extends DayCap {
  readonly kind: 'address' | 'network' | 'email' | 'codes' | 'tries';
}

export interface MailedTo {
  readonly accountId: string;
  readonly client: ClientNetwork;
  /** Tags and dots make no further mailbox. */
  readonly canonical: string;
}

const capOf = (kind: ClaimCap['kind'], name: string, allowed: number): ClaimCap => ({
  kind,
  scope: `claim-${kind}:${name}`,
  amount: 1n,
  allowed: BigInt(allowed),
});

/** A mail uses one of each. Every claim takes them in this order, so that two of them wait for each other and never deadlock. */
export const mailCaps = (
  { accountId, client, canonical }: MailedTo,
  policy: ClaimPolicy,
  pepper: string,
): readonly ClaimCap[] => [
  capOf('codes', accountId, policy.codesPerDay),
  capOf('address', client.address, policy.mailsPerAddressPerDay),
  capOf('network', client.network, policy.mailsPerNetworkPerDay),
  capOf('email', pepperedHash(pepper, 'email-address', canonical).toString('hex'), policy.mailsPerEmailPerDay),
];

export const triesCap = (accountId: string, policy: Pick<ClaimPolicy, 'triesPerDay'>): ClaimCap =>
  capOf('tries', accountId, policy.triesPerDay);
