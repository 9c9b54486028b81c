import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { oauthClientsIn } from './oauth-clients-in.js';

export type RevokeClientResult =
  | { readonly status: 'revoked' | 'already_revoked'; readonly accountId: string; readonly revokedAtMs: number }
  | { readonly status: 'unknown_client' };

/** The revocation and its `OAuthClientRevoked`, in the caller's transaction. Repeating it changes nothing. */
export async function revokeClient(tx: pg.ClientBase, clientId: string, nowMs: number): Promise<RevokeClientResult> {
  const clients = await oauthClientsIn(tx);
  const select = { clientId: true, accountId: true, revokedAt: true };
  const found = await clients.findOne({ select, where: { clientId } });
  if (found === null) return { status: 'unknown_client' };
  const { accountId } = found;
  await lockAccount(tx, accountId);
  const client = await clients.findOne({ select, where: { clientId } });
  // The owner may have been erased, and its clients with it, while the lock was waited for.
  if (client === null) return { status: 'unknown_client' };
  if (client.revokedAt !== null) {
    return { status: 'already_revoked', accountId, revokedAtMs: client.revokedAt.getTime() };
  }
  await clients.update({ clientId }, { revokedAt: new Date(nowMs) });
  const data = { accountId, clientId, revokedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'OAuthClientRevoked', data }, nowMs, 'following');
  return { status: 'revoked', accountId, revokedAtMs: nowMs };
}
