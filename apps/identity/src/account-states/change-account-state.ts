import type { AccountState } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { stateOf } from '../accounts/account.js';
import type { AccountRecord } from '../accounts/account.entity.js';
import { accountsIn } from '../accounts/accounts-in.js';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { revokeKeysOfAccount } from '../api-keys/revoke-keys-of-account.js';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';

export const stateActions = ['suspend', 'resume', 'block', 'unblock', 'close'] as const;
export type StateAction = (typeof stateActions)[number];

/** A block for non-payment outlasts a suspension, since another decided it. */
const effects: Readonly<Record<StateAction, Partial<Pick<AccountRecord, 'status' | 'paymentRequired'>>>> = {
  suspend: { status: 'suspended' },
  resume: { status: 'active' },
  block: { paymentRequired: true },
  unblock: { paymentRequired: false },
  close: { status: 'closed' },
};

export interface ChangeAccountState {
  readonly accountId: string;
  readonly action: StateAction;
  /** Account of the administrator. */
  readonly changedBy: string;
  readonly nowMs: number;
}

export type ChangeAccountStateResult =
  | {
      readonly status: 'changed' | 'unchanged';
      readonly state: AccountState;
      /** The last change of the account; undefined where there never was one. */
      readonly change: Change | undefined;
    }
  | { readonly status: 'unknown_account' }
  | { readonly status: 'account_closed' };

/**
 * Decides what the account may do from now on, with its `AccountStateChanged`, and on closing the end of each key with its
 * `ApiKeyRevoked`, in the caller's transaction. A closed account stays closed. What changes nothing records nothing.
 */
export async function changeAccountState(
  tx: pg.ClientBase,
  { accountId, action, changedBy, nowMs }: ChangeAccountState,
): Promise<ChangeAccountStateResult> {
  const account = await lockAccount(tx, accountId);
  if (account === undefined) return { status: 'unknown_account' };
  if (account.status === 'closed' && action !== 'close') return { status: 'account_closed' };
  const { status, paymentRequired } = account;
  const before = { status, paymentRequired };
  const after = { ...before, ...effects[action] };
  const [state, previousState] = [stateOf(after), stateOf(before)];
  if (after.status === status && after.paymentRequired === paymentRequired) {
    return { status: 'unchanged', state, change: changeOfRow(account) };
  }
  const change = newChange(nowMs);
  await (await accountsIn(tx)).update({ accountId }, { ...after, ...rowOfChange(change) });
  if (action === 'close') await revokeKeysOfAccount(tx, accountId, nowMs);
  const { changeId } = change;
  const data = { accountId, state, previousState, changedBy, changeId, changedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'AccountStateChanged', data }, nowMs, 'following');
  return { status: 'changed', state, change };
}
