import { BASE62, toIso, uuidv7 } from '@capability-router/kernel';
import type { ApiKeyScope, OAuthGrantType } from '@capability-router/contracts';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { hashSecretText } from '../api-keys/hash-secret-text.js';
import { requireStanding } from '../api-keys/may-give.js';
import { randomText } from '../api-keys/random-text.js';
import type { ClientAuthMethod } from './client-kinds.js';
import { oauthClientsIn } from './oauth-clients-in.js';

/** Clients of one account that are not revoked. */
export const MAX_CLIENTS_PER_ACCOUNT = 100;
/** Base62 characters: 238 random bits. */
const SECRET_LENGTH = 40;

export interface RegisterClient {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly authMethod: ClientAuthMethod;
  readonly grantTypes: readonly OAuthGrantType[];
  /** The id of the key that asks, which has to stand; absent where none asks. */
  readonly askedBy?: string | undefined;
  readonly nowMs: number;
}

export type RegisterClientResult =
  | {
      readonly status: 'registered';
      readonly clientId: string;
      /** The plain secret. It exists here and in the answer, nowhere else. A public client has none. */
      readonly clientSecret: string | undefined;
    }
  | { readonly status: 'unknown_account' | 'account_not_active' | 'too_many_clients' };

/** The client and its `OAuthClientRegistered`, in the caller's transaction. */
export async function registerClient(tx: pg.ClientBase, command: RegisterClient): Promise<RegisterClientResult> {
  const { accountId, name, scopes, authMethod, grantTypes, nowMs } = command;
  const account = await lockAccount(tx, accountId);
  await requireStanding(tx, command.askedBy, nowMs);
  if (account === undefined) return { status: 'unknown_account' };
  if (account.status !== 'active') return { status: 'account_not_active' };
  const clients = await oauthClientsIn(tx);
  // Exact, because the account's row is locked.
  const standing = (await clients.find({ select: { clientId: true, revokedAt: true }, where: { accountId } })).filter(
    ({ revokedAt }) => revokedAt === null,
  );
  if (standing.length >= MAX_CLIENTS_PER_ACCOUNT) return { status: 'too_many_clients' };

  const clientId = `client_${uuidv7(nowMs).replaceAll('-', '')}`;
  const clientSecret = authMethod === 'none' ? undefined : `cs-${randomText(BASE62, SECRET_LENGTH)}`;
  const secretHash = clientSecret === undefined ? null : hashSecretText(clientSecret);
  const registeredAt = new Date(nowMs);
  const rights = { scopes: [...scopes], grantTypes: [...grantTypes] };
  await clients.insert({ clientId, accountId, name, secretHash, ...rights, registeredAt, revokedAt: null });
  const data = { accountId, clientId, scopes, grantTypes, registeredAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'OAuthClientRegistered', data }, nowMs, 'following');
  return { status: 'registered', clientId, clientSecret };
}
