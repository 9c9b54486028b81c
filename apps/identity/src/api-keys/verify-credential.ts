import type { AccountAssertion, VerifyCredentialResponse } from '@capability-router/contracts';
import { isWellFormedApiKey, type Credits } from '@capability-router/kernel';
import type pg from 'pg';
import { accountClaims } from '../accounts/account-claims.js';
import { projectClaims, rightsInProject } from '../projects/project.js';
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
    assertion: { ...holderOfKey(key, limits), credentialType: 'api_key', ...rightsInProject(key.scopes, key) },
    apiKeyName: key.name,
    maskedValue: key.maskedValue,
    ratePlan: ratePlanOf(key),
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt.toISOString() }),
  };
}

/** Whoever is held by the key: its account, its project and its limits. */
export function holderOfKey(key: KeyRecord, limits: TrialLimits): Omit<AccountAssertion, 'credentialType' | 'scopes'> {
  return {
    ...accountClaims(key, limits),
    apiKeyId: key.apiKeyId,
    ...projectClaims(key, claimsOfBudgets(budgetsOfRow(key))),
  };
}
