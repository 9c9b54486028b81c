import type { ApiKeyScope } from '@capability-router/contracts';
import type pg from 'pg';
import { lockAccount } from '../accounts/lock-account.js';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { toIso } from '@capability-router/kernel';
import { apiKeysIn } from './api-keys-in.js';
import { findKeyOwner } from './find-key-owner.js';
import { issueApiKey, type IssueApiKey, type IssueApiKeyResult } from './issue-api-key.js';
import { budgetsOfRow } from './key-budgets.js';
import { requireStanding } from './may-give.js';

export interface RotateApiKey {
  readonly apiKeyId: string;
  /** The account that asks; undefined where an administrator does, who may rotate keys of all. */
  readonly accountId?: string;
  /** The id of the key that asks, which has to stand; absent where none asks. */
  readonly askedBy?: string | undefined;
  /** Milliseconds. */
  readonly overlapMs: number;
  readonly nowMs: number;
  /** Throws where whoever asks may not be given such a key. */
  readonly mayGive?: (
    key: Pick<IssueApiKey, 'projectId' | 'expiresAtMs'> & Required<Pick<IssueApiKey, 'scopes'>>,
  ) => void;
}

export type RotateApiKeyResult =
  | {
      readonly status: 'rotated';
      readonly issued: IssueApiKeyResult & { readonly status: 'issued' };
      readonly command: IssueApiKey;
      /** When the key before ends, in milliseconds since the epoch. */
      readonly endsAtMs: number;
      readonly change: Change | undefined;
    }
  | { readonly status: 'unknown_key' }
  | { readonly status: 'key_ended' }
  | Exclude<IssueApiKeyResult, { readonly status: 'issued' }>;

/**
 * A new key with the name, the scopes, the budgets, the project and the end of another one, which goes on for a while, in the caller's
 * transaction. The budgets of the new key begin to count at nothing.
 */
export async function rotateApiKey(tx: pg.ClientBase, command: RotateApiKey): Promise<RotateApiKeyResult> {
  const { apiKeyId, overlapMs, nowMs } = command;
  const accountId = await findKeyOwner(tx, apiKeyId);
  if (accountId === undefined || accountId !== (command.accountId ?? accountId)) return { status: 'unknown_key' };
  await lockAccount(tx, accountId);
  await requireStanding(tx, command.askedBy, nowMs, apiKeyId);
  const apiKeys = await apiKeysIn(tx);
  const row = await apiKeys.findOne({ where: { apiKeyId } });
  if (row === null) return { status: 'unknown_key' };
  const expiresAtMs = row.expiresAt?.getTime();
  if (row.revokedAt !== null || (expiresAtMs !== undefined && expiresAtMs <= nowMs)) return { status: 'key_ended' };
  const scopes = row.scopes as readonly ApiKeyScope[];
  const projectId = row.projectId ?? undefined;
  const budgets = budgetsOfRow(row);
  const issue = {
    accountId,
    name: row.name,
    scopes,
    budgets,
    nowMs,
    ...(projectId === undefined ? {} : { projectId }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
  command.mayGive?.(issue);
  const issued = await issueApiKey(tx, issue);
  if (issued.status !== 'issued') return issued;
  const endsAtMs = Math.min(expiresAtMs ?? Infinity, nowMs + overlapMs);
  if (endsAtMs === expiresAtMs)
    return { status: 'rotated', issued, command: issue, endsAtMs, change: changeOfRow(row) };
  const change = newChange(nowMs);
  await apiKeys.update({ apiKeyId }, { expiresAt: new Date(endsAtMs), ...rowOfChange(change) });
  const { changeId } = change;
  const data = { accountId, apiKeyId, expiresAt: toIso(endsAtMs), changeId, changedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ApiKeyExpiryChanged', data }, nowMs, 'following');
  return { status: 'rotated', issued, command: issue, endsAtMs, change };
}
