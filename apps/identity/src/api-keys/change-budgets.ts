import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';
import { apiKeysIn } from './api-keys-in.js';
import { findKeyOwner } from './find-key-owner.js';
import { budgetsOfRow, claimsOfBudgets, rowOfBudgets, type KeyBudgets } from './key-budgets.js';
import { requireStanding } from './may-give.js';

/** Absent: as it is. Null: no limit any more. */
export interface BudgetChange {
  readonly key?: KeyBudgets['key'] | null;
  readonly session?: KeyBudgets['session'] | null;
}

export type ChangeBudgetsResult =
  | {
      readonly status: 'changed' | 'unchanged';
      readonly accountId: string;
      readonly budgets: KeyBudgets;
      /** The last change of the key; undefined where there never was one. */
      readonly change: Change | undefined;
    }
  | { readonly status: 'unknown_key' }
  | { readonly status: 'key_revoked' };

/**
 * The limits and their `ApiKeyBudgetsChanged`, in the caller's transaction. What changes nothing records nothing. `askedBy`: the
 * id of the key that asks, which has to stand.
 */
export async function changeBudgets(
  tx: pg.ClientBase,
  apiKeyId: string,
  wanted: BudgetChange,
  nowMs: number,
  askedBy: string | undefined,
): Promise<ChangeBudgetsResult> {
  const accountId = await findKeyOwner(tx, apiKeyId);
  if (accountId === undefined) return { status: 'unknown_key' };
  await lockAccount(tx, accountId);
  await requireStanding(tx, askedBy, nowMs, apiKeyId);
  const apiKeys = await apiKeysIn(tx);
  const budgetColumns = { budgetMicro: true, budgetPeriod: true, sessionBudgetMicro: true };
  const select = { apiKeyId: true, revokedAt: true, changeId: true, changedAt: true, ...budgetColumns };
  const row = await apiKeys.findOne({ select, where: { apiKeyId } });
  // The owner may have been erased, and its keys with it, while the lock was waited for.
  if (row === null) return { status: 'unknown_key' };
  if (row.revokedAt !== null) return { status: 'key_revoked' };
  const before = budgetsOfRow(row);
  const key = wanted.key === undefined ? before.key : (wanted.key ?? undefined);
  const session = wanted.session === undefined ? before.session : (wanted.session ?? undefined);
  const budgets: KeyBudgets = { ...(key === undefined ? {} : { key }), ...(session === undefined ? {} : { session }) };
  const [budgetMicro, budgetPeriod, sessionBudgetMicro] = rowOfBudgets(budgets);
  if (rowOfBudgets(budgets).join() === rowOfBudgets(before).join()) {
    return { status: 'unchanged', accountId, budgets, change: changeOfRow(row) };
  }

  const change = newChange(nowMs);
  await apiKeys.update({ apiKeyId }, { budgetMicro, budgetPeriod, sessionBudgetMicro, ...rowOfChange(change) });
  const { changeId } = change;
  const data = { accountId, apiKeyId, budgets: claimsOfBudgets(budgets) ?? {}, changeId, changedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ApiKeyBudgetsChanged', data }, nowMs, 'following');
  return { status: 'changed', accountId, budgets, change };
}
