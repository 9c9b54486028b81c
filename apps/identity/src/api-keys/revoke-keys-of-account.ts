import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { IsNull } from 'typeorm';
import { appendAccountEvents } from '../accounts/append-account-event.js';
import { apiKeysIn } from './api-keys-in.js';
import { lockKeys } from './find-key-by-id.sql.js';

/** Revokes every key of an account that the caller has locked, with an `ApiKeyRevoked` of each, in the caller's transaction. */
export async function revokeKeysOfAccount(tx: pg.ClientBase, accountId: string, nowMs: number): Promise<void> {
  const apiKeys = await apiKeysIn(tx);
  const standing = { accountId, revokedAt: IsNull() };
  const keys = await apiKeys.find({ select: { apiKeyId: true }, where: standing });
  await lockKeys(
    tx,
    keys.map(({ apiKeyId }) => apiKeyId),
  );
  await apiKeys.update(standing, { revokedAt: new Date(nowMs) });
  const revokedAt = toIso(nowMs);
  const facts = keys.map(({ apiKeyId }) => ({
    type: 'ApiKeyRevoked' as const,
    data: { accountId, apiKeyId, revokedAt },
  }));
  await appendAccountEvents(tx, facts, nowMs, 'following');
}
