import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { accountsIn } from '../accounts/accounts-in.js';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { changeOfRow, newChange, rowOfChange, type Change } from '../evictions/change.js';
import { rateLimitPlansIn } from './rate-limit-plans-in.js';

export interface AssignPlan {
  readonly accountId: string;
  /** Null: the default of the account's kind. */
  readonly plan: string | null;
  /** Account of the administrator. */
  readonly changedBy: string;
  readonly nowMs: number;
}

export type AssignPlanResult =
  | {
      readonly status: 'changed' | 'unchanged';
      /** The name of the plan that the account has now. */
      readonly plan: string;
      /** The last change of the account; undefined where there never was one. */
      readonly change: Change | undefined;
    }
  | { readonly status: 'unknown_account' }
  | { readonly status: 'unknown_plan' };

/**
 * The plan of an account and its `AccountRateLimitPlanChanged`, in the caller's transaction. What changes nothing records
 * nothing. A plan that an account was given stays when a trial is claimed; the default becomes that of formal accounts.
 */
export async function assignPlan(tx: pg.ClientBase, command: AssignPlan): Promise<AssignPlanResult> {
  const { accountId, plan, changedBy, nowMs } = command;
  const account = await lockAccount(tx, accountId);
  if (account === undefined || account.erasedAt !== null) return { status: 'unknown_account' };
  const named = plan ?? account.kind;
  if (account.rateLimitPlan === plan) return { status: 'unchanged', plan: named, change: changeOfRow(account) };
  if (plan !== null) {
    const plans = await rateLimitPlansIn(tx);
    const found = await plans.findOne({ where: { name: plan }, lock: { mode: 'pessimistic_read' } });
    if (found === null) return { status: 'unknown_plan' };
  }
  const change = newChange(nowMs);
  await (await accountsIn(tx)).update({ accountId }, { rateLimitPlan: plan, ...rowOfChange(change) });
  const data = { accountId, plan, changedBy, changeId: change.changeId, changedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'AccountRateLimitPlanChanged', data }, nowMs, 'following');
  return { status: 'changed', plan: named, change };
}
