import { apiKeyScopes, type AccountAssertion, type ApiKeyScope } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';
import { apiKeysIn } from './api-keys-in.js';
import { findKeyOwner } from './find-key-owner.js';
import { requireStanding } from './may-give.js';

export type GrantScopesResult =
  | {
      readonly status: 'granted' | 'unchanged';
      readonly accountId: string;
      /** All that the key has now. */
      readonly scopes: readonly ApiKeyScope[];
      /** The last change of the key; undefined where there never was one. */
      readonly change: Change | undefined;
    }
  | { readonly status: 'unknown_key' }
  | { readonly status: 'key_revoked' };

/**
 * Gives a key further scopes, with its `ApiKeyScopesGranted`, in the caller's transaction. Whoever is asked has decided
 * about the key: it is not listed as narrowed any more. What changes no scope records no event. `grantedBy`: the
 * administrator, whose key has to stand.
 */
export async function grantScopes(
  tx: pg.ClientBase,
  apiKeyId: string,
  granted: readonly ApiKeyScope[],
  grantedBy: Pick<AccountAssertion, 'accountId' | 'apiKeyId'>,
  nowMs: number,
): Promise<GrantScopesResult> {
  const accountId = await findKeyOwner(tx, apiKeyId);
  if (accountId === undefined) return { status: 'unknown_key' };
  await lockAccount(tx, accountId);
  await requireStanding(tx, grantedBy.apiKeyId, nowMs, apiKeyId);
  const apiKeys = await apiKeysIn(tx);
  const select = { apiKeyId: true, scopes: true, narrowed: true, revokedAt: true, changeId: true, changedAt: true };
  const row = await apiKeys.findOne({ select, where: { apiKeyId } });
  // The owner may have been erased, and its keys with it, while the lock was waited for.
  if (row === null) return { status: 'unknown_key' };
  if (row.revokedAt !== null) return { status: 'key_revoked' };
  const scopes = apiKeyScopes.filter((scope) => row.scopes.includes(scope) || granted.includes(scope));
  const changed = scopes.length !== row.scopes.length;
  if (!changed) {
    if (row.narrowed) await apiKeys.update({ apiKeyId }, { narrowed: false });
    return { status: 'unchanged', accountId, scopes, change: changeOfRow(row) };
  }

  const change = newChange(nowMs);
  await apiKeys.update({ apiKeyId }, { scopes, narrowed: false, ...rowOfChange(change) });
  const by = { grantedBy: grantedBy.accountId, changeId: change.changeId, changedAt: toIso(nowMs) };
  const data = { accountId, apiKeyId, scopes, ...by };
  await appendAccountEvent(tx, { type: 'ApiKeyScopesGranted', data }, nowMs, 'following');
  return { status: 'granted', accountId, scopes, change };
}
