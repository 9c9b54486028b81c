import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { apiKeysIn } from '../api-keys/api-keys-in.js';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';
import { projectsIn } from '../projects/projects-in.js';

export interface MoveKey {
  readonly apiKeyId: string;
  readonly projectId: string;
  /** Into the project, from wherever it is; or out of it. */
  readonly to: 'in' | 'out';
  /** The account that asks; absent where an administrator does. */
  readonly accountId?: string;
  readonly nowMs: number;
}

export type MoveKeyResult =
  | {
      readonly status: 'moved' | 'unchanged';
      readonly accountId: string;
      /** Where the key is now. */
      readonly projectId: string | null;
      readonly change: Change | undefined;
    }
  | { readonly status: 'unknown_project' | 'unknown_key' }
  | { readonly status: 'key_revoked' };

/**
 * The project of a key and its `ApiKeyProjectChanged`, in the caller's transaction. The key leaves the project that it was
 * in; calls that are held go on under the budgets that they began under. Out of a project that it is not in, it stays.
 */
export async function moveKey(tx: pg.ClientBase, command: MoveKey): Promise<MoveKeyResult> {
  const { apiKeyId, nowMs } = command;
  const projects = await projectsIn(tx);
  const owner = (await projects.findOneBy({ projectId: command.projectId }))?.accountId;
  if (owner === undefined || owner !== (command.accountId ?? owner)) return { status: 'unknown_project' };
  await lockAccount(tx, owner);
  const apiKeys = await apiKeysIn(tx);
  const key = await apiKeys.findOneBy({ apiKeyId, accountId: owner });
  if (key === null) return { status: 'unknown_key' };
  if (key.revokedAt !== null) return { status: 'key_revoked' };
  const out = key.projectId === command.projectId ? null : key.projectId;
  const projectId = command.to === 'in' ? command.projectId : out;
  if (projectId === key.projectId) {
    return { status: 'unchanged', accountId: owner, projectId, change: changeOfRow(key) };
  }
  const change = newChange(nowMs);
  await apiKeys.update({ apiKeyId }, { projectId, ...rowOfChange(change) });
  const data = { accountId: owner, apiKeyId, projectId, changeId: change.changeId, changedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ApiKeyProjectChanged', data }, nowMs, 'following');
  return { status: 'moved', accountId: owner, projectId, change };
}
