import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { apiKeysIn } from './api-keys-in.js';
import { findKeyOwner } from './find-key-owner.js';

export type RevokeApiKeyResult =
  | { readonly status: 'revoked' | 'already_revoked'; readonly accountId: string; readonly revokedAtMs: number }
  | { readonly status: 'unknown_key' };

/** The revocation and its `ApiKeyRevoked`, in the caller's transaction. Repeating it changes nothing. */
export async function revokeApiKey(tx: pg.ClientBase, apiKeyId: string, nowMs: number): Promise<RevokeApiKeyResult> {
  const accountId = await findKeyOwner(tx, apiKeyId);
  if (accountId === undefined) return { status: 'unknown_key' };
  await lockAccount(tx, accountId);
  const apiKeys = await apiKeysIn(tx);
  const key = await apiKeys.findOne({ select: { apiKeyId: true, revokedAt: true }, where: { apiKeyId } });
  // The owner may have been erased, and its keys with it, while the lock was waited for.
  if (key === null) return { status: 'unknown_key' };
  if (key.revokedAt !== null) return { status: 'already_revoked', accountId, revokedAtMs: key.revokedAt.getTime() };
  await apiKeys.update({ apiKeyId }, { revokedAt: new Date(nowMs) });

  const data = { accountId, apiKeyId, revokedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ApiKeyRevoked', data }, nowMs, 'following');
  return { status: 'revoked', accountId, revokedAtMs: nowMs };
}
