import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvents } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { removeDetails } from '../security-log/chain/remove-details.sql.js';
import { forgetAccount } from './forget-account.js';

export type EraseAccountResult =
  | { readonly status: 'erased' | 'already_erased'; readonly erasedAtMs: number }
  | { readonly status: 'unknown_account' };

/**
 * The erasure, an `ApiKeyRevoked` of each key and an `OAuthClientRevoked` of each client that still stood, and
 * `AccountErased`, in the caller's transaction.
 * Repeating it changes nothing. What others keep of the account they remove when they read the event.
 */
export async function eraseAccount(tx: pg.ClientBase, accountId: string, nowMs: number): Promise<EraseAccountResult> {
  const account = await lockAccount(tx, accountId);
  if (account === undefined) return { status: 'unknown_account' };
  if (account.erasedAt !== null) return { status: 'already_erased', erasedAtMs: account.erasedAt.getTime() };

  const { apiKeyIds, clientIds } = await forgetAccount(tx, accountId, nowMs);
  const at = toIso(nowMs);
  await appendAccountEvents(
    tx,
    [
      ...apiKeyIds.map((apiKeyId) => ({
        type: 'ApiKeyRevoked' as const,
        data: { accountId, apiKeyId, revokedAt: at },
      })),
      // Others than the account's own people may have given the client access to their accounts.
      ...clientIds.map((clientId) => ({
        type: 'OAuthClientRevoked' as const,
        data: { accountId, clientId, revokedAt: at },
      })),
      { type: 'AccountErased', data: { accountId, erasedAt: at } },
    ],
    nowMs,
    'following',
  );
  // After the entries of the erasure: whoever appends to the log of this account waited for them, and keeps no details of it.
  await removeDetails(tx, accountId);
  return { status: 'erased', erasedAtMs: nowMs };
}
