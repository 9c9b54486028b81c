import type { AccountAssertion, VerifyCredentialResponse } from '@capability-router/contracts';
import { isWellFormedApiKey, type Credits } from '@capability-router/kernel';
import type pg from 'pg';
import { accountClaims } from '../accounts/account-claims.js';
import { projectClaims, scopesInProject } from '../projects/project.js';
import { ratePlanOf } from '../rate-limit-plans/rate-limit-plan.js';
import { isUsable, type KeyRecord } from './api-key.js';
import { findKeyByHash } from './find-key-by-hash.sql.js';
import { hashSecretText } from './hash-secret-text.js';
import { budgetsOfRow, claimsOfBudgets } from './key-budgets.js';

/** The limits of a trial account. */
export interface TrialLimits {
  readonly maxCallCredits: Credits;
}

/** Unknown, malformed, revoked, expired and suspended all answer alike: a caller learns nothing but "invalid". */
export async function verifyCredential(
  db: pg.Pool,
  credential: string,
  limits: TrialLimits,
  nowMs: number,
): Promise<VerifyCredentialResponse> {
  if (!isWellFormedApiKey(credential)) return { valid: false };
  const key = await findKeyByHash(db, hashSecretText(credential));
  if (key === undefined || !isUsable(key, nowMs)) return { valid: false };
  return {
    valid: true,
    assertion: assertionOfKey(key, limits),
    apiKeyName: key.name,
    maskedValue: key.maskedValue,
    ratePlan: ratePlanOf(key),
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt.toISOString() }),
  };
}

/** The rights of a request with the key, and its limits. */
export function assertionOfKey(key: KeyRecord, limits: TrialLimits): AccountAssertion {
  return {
    ...accountClaims(key, limits),
    credentialType: 'api_key',
    apiKeyId: key.apiKeyId,
    scopes: scopesInProject(key.scopes, key),
    ...projectClaims(key, claimsOfBudgets(budgetsOfRow(key))),
  };
}
