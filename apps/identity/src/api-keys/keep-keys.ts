import { apiKeyScopes, type ApiKeyScope } from '@capability-router/contracts';
import type pg from 'pg';
import { IsNull, MoreThan } from 'typeorm';
import { apiKeysIn } from './api-keys-in.js';

export interface KeptKey {
  readonly apiKeyId: string;
  /** All that the key has now. */
  readonly scopes: readonly ApiKeyScope[];
}

/**
 * Keys of a locked account that would expire, and work now, do not expire any more and have the scope `manage`. Resolves to
 * those keys; the caller records the events.
 */
export async function keepKeys(tx: pg.ClientBase, accountId: string, nowMs: number): Promise<KeptKey[]> {
  const apiKeys = await apiKeysIn(tx);
  const where = { accountId, revokedAt: IsNull(), expiresAt: MoreThan(new Date(nowMs)) };
  const keys = await apiKeys.find({ select: { apiKeyId: true, scopes: true }, where });
  const kept: KeptKey[] = [];
  for (const key of keys) {
    const scopes = apiKeyScopes.filter((scope) => scope === 'manage' || key.scopes.includes(scope));
    await apiKeys.update({ apiKeyId: key.apiKeyId }, { scopes, expiresAt: null });
    kept.push({ apiKeyId: key.apiKeyId, scopes });
  }
  return kept;
}
