import type { AccountAssertion, VerifyCredentialResponse } from '@capability-router/contracts';
import { isWellFormedApiKey, type Credits } from '@capability-router/kernel';
import type pg from 'pg';
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
  return { valid: true, assertion: assertionOf(key, limits), apiKeyName: key.name, maskedValue: key.maskedValue };
}

function assertionOf(key: KeyRecord, limits: TrialLimits): AccountAssertion {
  const budgets = claimsOfBudgets(budgetsOfRow(key));
  return {
    accountId: key.accountId,
    accountKind: key.accountKind,
    credentialType: 'api_key',
    apiKeyId: key.apiKeyId,
    scopes: key.scopes,
    ...(key.region === null ? {} : { region: key.region }),
    ...(key.accountKind === 'trial' ? { maxCallMicroCredits: limits.maxCallCredits.toString() } : {}),
    ...(budgets === undefined ? {} : { budgets }),
  };
}
