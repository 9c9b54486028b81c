import { uuidv7 } from '@capability-router/kernel';
import type pg from 'pg';
import { insertFamily } from '../tokens/refresh-families.sql.js';
import { hashesOf, newRefreshToken } from '../tokens/refresh-token.js';

const LIFE_MS = 30 * 86_400_000;

export interface GivenConsent {
  readonly familyId: string;
  readonly refreshToken: string;
}

/** A row as a consent begins it, for 30 days and the scope `read`, without anybody at the page. */
export async function givenConsent(
  pool: pg.Pool,
  given: { readonly clientId: string; readonly accountId: string; readonly apiKeyId?: string; readonly nowMs: number },
): Promise<GivenConsent> {
  const { clientId, accountId, apiKeyId = null, nowMs } = given;
  const refreshToken = newRefreshToken();
  const hashes = hashesOf(refreshToken);
  if (hashes === undefined) throw new Error('a refresh token that was made is none');
  const familyId = uuidv7(nowMs);
  const times = { beganAt: new Date(nowMs), expiresAt: new Date(nowMs + LIFE_MS) };
  await insertFamily(pool, {
    familyId,
    clientId,
    accountId,
    apiKeyId,
    scopes: ['read'],
    resourcePath: '/api/v1',
    ...hashes,
    ...times,
  });
  return { familyId, refreshToken };
}
