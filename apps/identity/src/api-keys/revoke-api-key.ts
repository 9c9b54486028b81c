import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.sql.js';
import { findKeyOwner } from './find-key-owner.sql.js';
import { markKeyRevoked } from './mark-key-revoked.sql.js';

export type RevokeApiKeyResult =
  | { readonly status: 'revoked' | 'already_revoked'; readonly accountId: string; readonly revokedAtMs: number }
  | { readonly status: 'unknown_key' };

/** The revocation and its `ApiKeyRevoked`, in the caller's transaction. Repeating it changes nothing. */
export async function revokeApiKey(tx: pg.ClientBase, apiKeyId: string, nowMs: number): Promise<RevokeApiKeyResult> {
  const accountId = await findKeyOwner(tx, apiKeyId);
  if (accountId === undefined) return { status: 'unknown_key' };
  await lockAccount(tx, accountId);
  const { changed, revokedAtMs } = await markKeyRevoked(tx, apiKeyId, nowMs);
  if (!changed) return { status: 'already_revoked', accountId, revokedAtMs };

  const data = { accountId, apiKeyId, revokedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ApiKeyRevoked', data }, nowMs, 'following');
  return { status: 'revoked', accountId, revokedAtMs };
}
