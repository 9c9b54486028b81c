import { apiKeyScopes } from '@capability-router/contracts';
import type { ApiKeyScope } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.sql.js';
import { findKeyOwner } from './find-key-owner.sql.js';
import { readScopes, writeScopes } from './grant-scopes.sql.js';

export type GrantScopesResult =
  | {
      readonly status: 'granted' | 'unchanged';
      readonly accountId: string;
      /** All that the key has now. */
      readonly scopes: readonly ApiKeyScope[];
    }
  | { readonly status: 'unknown_key' }
  | { readonly status: 'key_revoked' };

/**
 * Gives a key further scopes, with its `ApiKeyScopesGranted`, in the caller's transaction. Whoever is asked has decided
 * about the key: it is not listed as narrowed any more. What changes no scope records no event.
 */
export async function grantScopes(
  tx: pg.ClientBase,
  apiKeyId: string,
  granted: readonly ApiKeyScope[],
  nowMs: number,
): Promise<GrantScopesResult> {
  const accountId = await findKeyOwner(tx, apiKeyId);
  if (accountId === undefined) return { status: 'unknown_key' };
  await lockAccount(tx, accountId);
  const row = await readScopes(tx, apiKeyId);
  // The owner may have been erased, and its keys with it, while the lock was waited for.
  if (row === undefined) return { status: 'unknown_key' };
  if (row.revokedAt !== null) return { status: 'key_revoked' };
  const scopes = apiKeyScopes.filter((scope) => row.scopes.includes(scope) || granted.includes(scope));
  const changed = scopes.length !== row.scopes.length;
  if (changed || row.narrowed) await writeScopes(tx, apiKeyId, scopes);
  if (!changed) return { status: 'unchanged', accountId, scopes };

  const data = { accountId, apiKeyId, scopes, changedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ApiKeyScopesGranted', data }, nowMs, 'following');
  return { status: 'granted', accountId, scopes };
}
