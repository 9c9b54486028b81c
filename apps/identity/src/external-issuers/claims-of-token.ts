import { isOAuthScope, oauthScopes, type OAuthScope } from '@capability-router/contracts';
import { isJsonObject } from '@capability-router/kernel';
import { isOneLine, type ClaimPath, type ExternalIssuer } from '@capability-router/service-kit';
import type { JWTPayload } from 'jose';

/** Characters: RFC 7519 gives none, OpenID Connect has a subject not exceed 255. */
export const MAX_SUBJECT_LENGTH = 255;
const MAX_CLIENT_LENGTH = 200;
/** The form of the clients that operators register here: nobody else's is taken for one of them. */
const ownClientPattern = /^client_[0-9a-f]{32}$/;

/** The meaning of a verified token of an issuer here. */
export interface ExternalClaims {
  readonly subject: string;
  readonly scopes: readonly OAuthScope[];
  /** The program that it was issued to, where the token says so. */
  readonly clientId?: string;
}

/** Undefined where the token names nobody. */
export function claimsOfToken(issuer: ExternalIssuer, payload: JWTPayload): ExternalClaims | undefined {
  const subject = claimAt(payload, issuer.subjectClaim);
  if (typeof subject !== 'string' || !isOneLine(subject, MAX_SUBJECT_LENGTH)) return undefined;
  const clientId = clientOf(payload['azp']) ?? clientOf(payload['client_id']);
  return { subject, scopes: scopesOf(issuer, payload), ...(clientId === undefined ? {} : { clientId }) };
}

/** Never more than the issuer may give, whatever the token says. */
function scopesOf(issuer: ExternalIssuer, payload: JWTPayload): readonly OAuthScope[] {
  const claim = claimAt(payload, issuer.scopesClaim);
  const given = new Set(claim === undefined ? issuer.defaultScopes : valuesOf(claim).flatMap(meaningIn(issuer)));
  return oauthScopes.filter((scope) => given.has(scope) && issuer.maxScopes.includes(scope));
}

const meaningIn =
  ({ scopeMap }: ExternalIssuer) =>
  (value: string): readonly OAuthScope[] =>
    scopeMap === undefined ? [value].filter(isOAuthScope) : (scopeMap.get(value) ?? []);

/** A text of words, as in `scope`, or a list, as roles mostly are. */
function valuesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((value) => typeof value === 'string') : [];
}

/** Reads the object's own members alone: a path into what every object inherits finds nothing. */
function claimAt(payload: JWTPayload, path: ClaimPath): unknown {
  let value: unknown = payload;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

const clientOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && isOneLine(claim, MAX_CLIENT_LENGTH) && !ownClientPattern.test(claim) ? claim : undefined;
