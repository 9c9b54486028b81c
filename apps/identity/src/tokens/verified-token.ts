import type { VerifiedCredential } from '@capability-router/contracts';
import { accountClaims } from '../accounts/account-claims.js';
import type { KeyRecord } from '../api-keys/api-key.js';
import { holderOfKey, type TrialLimits } from '../api-keys/verify-credential.js';
import { rightsInProject } from '../projects/project.js';
import { ratePlanOf } from '../rate-limit-plans/rate-limit-plan.js';
import { narrowed, type Delegation } from './delegation/narrowed.js';
import type { TokenRow } from './oauth-tokens.sql.js';

/** A token that may be used now. */
export interface LiveToken extends TokenRow {
  /** The key by whose limits it is held: a person consented who showed it. */
  readonly key: KeyRecord | undefined;
  /** Present on delegation tokens: the token that was shown for it, which may be used as well, and to what it is held. */
  readonly delegation?: { readonly parent: LiveToken } & Pick<Delegation, 'constraints' | 'maxCredits'>;
}

/** Has nothing ended that the token depends on? Its key, where it has one, is another question. */
export const stands = (row: TokenRow): boolean =>
  row.revokedAt === null &&
  row.clientRevokedAt === null &&
  row.familyRevokedAt === null &&
  row.accountStatus === 'active' &&
  row.ownerStatus === 'active';

/** The gateway's view of a token that may be used. */
export function verifiedToken(token: LiveToken, limits: TrialLimits): VerifiedCredential {
  const { key, expiresAt, delegation } = token;
  if (delegation !== undefined) return narrowed(verifiedToken(delegation.parent, limits), { ...token, ...delegation });
  const keyEnds = key?.expiresAt?.getTime() ?? Infinity;
  const { tokenId, familyId, ownerId, accountId } = token;
  return {
    valid: true,
    assertion: {
      ...(key === undefined ? accountClaims(token, limits) : holderOfKey(key, limits)),
      credentialType: 'access_token',
      oauthClientId: token.clientId,
      ...(key === undefined ? { scopes: token.scopes } : rightsInProject(token.scopes, key)),
    },
    ratePlan: ratePlanOf(token),
    expiresAt: new Date(Math.min(expiresAt.getTime(), keyEnds)).toISOString(),
    endsWith: [tokenId, ...(familyId === null ? [] : [familyId]), ...(ownerId === accountId ? [] : [ownerId])],
  };
}
