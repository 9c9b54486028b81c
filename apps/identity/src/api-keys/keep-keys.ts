import { apiKeyScopes, type ApiKeyScope } from '@capability-router/contracts';
import type pg from 'pg';
import { IsNull } from 'typeorm';
import { apiKeysIn } from './api-keys-in.js';

export interface KeptKeys {
  readonly accountId: string;
  /** When the trial ends. Only its own key, and what was issued to end with it, end then. */
  readonly trialEnds: Date;
  /** The name of the trial's own key, and of every key that took its place. */
  readonly ownName: string;
  readonly nowMs: number;
}

export interface KeptKey {
  readonly apiKeyId: string;
  /** All that the key has now. */
  readonly scopes: readonly ApiKeyScope[];
}

/**
 * Keys of a locked account that work now and would end with its trial do not end any more. One that was rotated away, or that
 * was given another end, ends when it would have: of keys with one name and the end of the trial only the newest one has no
 * successor. The trial's own key gets the scope `manage`. Resolves to the keys with a scope more; the caller records the events.
 */
export async function keepKeys(
  tx: pg.ClientBase,
  { accountId, trialEnds, ownName, nowMs }: KeptKeys,
): Promise<KeptKey[]> {
  if (trialEnds.getTime() <= nowMs) return [];
  const apiKeys = await apiKeysIn(tx);
  const where = { accountId, revokedAt: IsNull(), expiresAt: trialEnds };
  const select = { apiKeyId: true, name: true, scopes: true };
  const keys = await apiKeys.find({ select, where, order: { issuedAt: 'ASC', apiKeyId: 'ASC' } });
  const newest = new Map(keys.map((key) => [key.name, key]));
  const granted: KeptKey[] = [];
  for (const { apiKeyId, name, scopes: before } of newest.values()) {
    const isOwn = name === ownName && !before.includes('manage');
    const scopes = apiKeyScopes.filter((scope) => (isOwn && scope === 'manage') || before.includes(scope));
    await apiKeys.update({ apiKeyId }, { scopes, expiresAt: null });
    if (isOwn) granted.push({ apiKeyId, scopes });
  }
  return granted;
}
