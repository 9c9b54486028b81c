import { isOAuthScope, type DelegationConstraints, type VerifiedCredential } from '@capability-router/contracts';
import type { Credits } from '@capability-router/kernel';

/** A delegation token, as its row has it. */
export interface Delegation {
  readonly tokenId: string;
  /** The client that exchanged for it. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly constraints: DelegationConstraints;
  readonly maxCredits: Credits | undefined;
}

/** The scopes that a delegation token can have: what its parent and its client have, and never `manage`. */
export const delegable = (parentScopes: readonly string[], clientScopes: readonly string[]): readonly string[] =>
  parentScopes.filter((scope) => isOAuthScope(scope) && scope !== 'manage' && clientScopes.includes(scope));

/**
 * The gateway's view of a delegation token: all that its parent is worth now, with less of it. It ends with
 * everything that its parent ends with.
 */
export function narrowed(parent: VerifiedCredential, token: Delegation): VerifiedCredential {
  const { tokenId, clientId, constraints, maxCredits } = token;
  const { assertion, expiresAt, endsWith = [] } = parent;
  const { projectClosed, ...held } = assertion;
  const parentClient = assertion.oauthClientId;
  const delegation = maxCredits === undefined ? {} : { delegation: { tokenId, limitMicroCredits: `${maxCredits}` } };
  const budgets = { ...assertion.budgets, ...delegation };
  return {
    ...parent,
    assertion: {
      ...held,
      credentialType: 'delegation_token',
      oauthClientId: clientId,
      scopes: delegable(token.scopes, assertion.scopes),
      ...(projectClosed === true && token.scopes.includes('call') ? { projectClosed } : {}),
      ...(Object.keys(budgets).length === 0 ? {} : { budgets }),
      delegation: constraints,
    },
    expiresAt: earlier(token.expiresAt, expiresAt),
    endsWith: [
      tokenId,
      ...(parentClient === undefined || parentClient === clientId ? [] : [parentClient]),
      ...endsWith,
    ],
  };
}

const earlier = (own: Date, parents: string | undefined): string =>
  new Date(Math.min(own.getTime(), parents === undefined ? Infinity : Date.parse(parents))).toISOString();
