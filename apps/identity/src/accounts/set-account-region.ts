import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';
import { accountsIn } from './accounts-in.js';
import { appendAccountEvent } from './append-account-event.js';
import { lockAccount } from './lock-account.js';

export type SetAccountRegionResult =
  /** `change`: the last one of the account; absent where there never was one. */
  | { readonly status: 'changed' | 'unchanged'; readonly change?: Change | undefined }
  | { readonly status: 'unknown_account' };

/**
 * The region and its `AccountRegionChanged`, in the caller's transaction. `region`: ISO 3166-1 alpha-2, undefined where it
 * is not known. Repeating it changes nothing. An erased account has no region and gets none.
 */
export async function setAccountRegion(
  tx: pg.ClientBase,
  accountId: string,
  region: string | undefined,
  nowMs: number,
): Promise<SetAccountRegionResult> {
  const account = await lockAccount(tx, accountId);
  if (account === undefined || account.erasedAt !== null) return { status: 'unknown_account' };
  if (account.region === (region ?? null)) return { status: 'unchanged', change: changeOfRow(account) };
  const change = newChange(nowMs);
  await (await accountsIn(tx)).update({ accountId }, { region: region ?? null, ...rowOfChange(change) });
  const data = { accountId, changeId: change.changeId, changedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'AccountRegionChanged', data }, nowMs, 'following');
  return { status: 'changed', change };
}
