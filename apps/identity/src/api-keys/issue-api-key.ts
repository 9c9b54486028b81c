import {
  API_KEY_SECRET_LENGTH,
  BASE62,
  formatApiKey,
  maskApiKey,
  newApiKeyId,
  toIso,
  type ApiKeyId,
} from '@capability-router/kernel';
import { DEFAULT_SCOPES, type ApiKeyIssued, type ApiKeyScope } from '@capability-router/contracts';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { projectsIn } from '../projects/projects-in.js';
import { apiKeysIn } from './api-keys-in.js';
import { hashSecretText } from './hash-secret-text.js';
import { insertApiKey } from './insert-api-key.sql.js';
import type { KeyBudgets } from './key-budgets.js';
import { requireStanding } from './may-give.js';
import { randomText } from './random-text.js';

export interface IssueApiKey {
  readonly accountId: string;
  readonly name: string;
  /** Where absent, what keys have by default, and `manage` for the first key that the account ever had. */
  readonly scopes?: readonly ApiKeyScope[];
  /** Milliseconds since the epoch; absent for a key that does not expire. */
  readonly expiresAtMs?: number;
  readonly budgets?: KeyBudgets;
  /** A project of the account. */
  readonly projectId?: string;
  /** The id of the key that asks, which has to stand; absent where none asks. */
  readonly askedBy?: string | undefined;
  readonly nowMs: number;
}

export type IssueApiKeyResult =
  | {
      readonly status: 'issued';
      readonly apiKeyId: ApiKeyId;
      /** The plain key. It exists here and in the answer, nowhere else. */
      readonly apiKey: string;
      readonly maskedValue: string;
      readonly scopes: readonly ApiKeyScope[];
    }
  | { readonly status: 'unknown_account' }
  | { readonly status: 'account_not_active' }
  | { readonly status: 'unknown_project' }
  | { readonly status: 'too_many_keys' };

/** The key's hash and its `ApiKeyIssued`, in the caller's transaction. */
export async function issueApiKey(tx: pg.ClientBase, command: IssueApiKey): Promise<IssueApiKeyResult> {
  const account = await lockAccount(tx, command.accountId);
  await requireStanding(tx, command.askedBy, command.nowMs);
  if (account === undefined) return { status: 'unknown_account' };
  if (account.status !== 'active') return { status: 'account_not_active' };

  const { nowMs, ...fields } = command;
  const { projectId } = command;
  if (
    projectId !== undefined &&
    !(await (await projectsIn(tx)).existsBy({ projectId, accountId: command.accountId }))
  ) {
    return { status: 'unknown_project' };
  }
  const scopes = command.scopes ?? (await scopesOfNextKey(tx, command.accountId));
  const { apiKeyId, apiKey, maskedValue, keyHash, issued } = mintApiKey({ ...command, scopes });
  const row = { ...fields, scopes, apiKeyId, keyHash, maskedValue, issuedAtMs: nowMs };
  if (!(await insertApiKey(tx, row))) return { status: 'too_many_keys' };

  await appendAccountEvent(tx, { type: 'ApiKeyIssued', data: issued }, nowMs, 'following');
  return { status: 'issued', apiKeyId, apiKey, maskedValue, scopes };
}

/** A key that is nowhere yet, and what its `ApiKeyIssued` says of it. */
export interface MintedApiKey {
  readonly apiKeyId: ApiKeyId;
  /** Plain. */
  readonly apiKey: string;
  readonly keyHash: Buffer;
  readonly maskedValue: string;
  readonly issued: ApiKeyIssued;
}

export function mintApiKey(
  command: Pick<IssueApiKey, 'accountId' | 'name' | 'projectId' | 'nowMs'> & {
    readonly scopes: readonly ApiKeyScope[];
  },
): MintedApiKey {
  const { accountId, name, scopes, projectId, nowMs } = command;
  const apiKeyId = newApiKeyId(nowMs);
  const apiKey = formatApiKey(randomText(BASE62, API_KEY_SECRET_LENGTH));
  const maskedValue = maskApiKey(apiKey);
  const project = projectId === undefined ? {} : { projectId };
  const issued = { accountId, apiKeyId, name, maskedValue, scopes, ...project, issuedAt: toIso(nowMs) };
  return { apiKeyId, apiKey, keyHash: hashSecretText(apiKey), maskedValue, issued };
}

/** Whoever was given an account can manage it; whoever is given a further key only if somebody says so. */
async function scopesOfNextKey(tx: pg.ClientBase, accountId: string): Promise<readonly ApiKeyScope[]> {
  const everHadOne = await (await apiKeysIn(tx)).existsBy({ accountId });
  return everHadOne ? DEFAULT_SCOPES : [...DEFAULT_SCOPES, 'manage'];
}
