import type pg from 'pg';
import type { AccountRecord } from './account.entity.js';
import { accountsIn } from './accounts-in.js';

export type LockedAccount = Readonly<
  Pick<
    AccountRecord,
    'kind' | 'status' | 'paymentRequired' | 'region' | 'rateLimitPlan' | 'erasedAt' | 'changeId' | 'changedAt'
  >
>;

/**
 * The account row is the lock under which its stream grows, so that facts of one account get their order here. Undefined
 * when there is no such account.
 */
export async function lockAccount(tx: pg.ClientBase, accountId: string): Promise<LockedAccount | undefined> {
  const accounts = await accountsIn(tx);
  const state = { status: true, paymentRequired: true, changeId: true, changedAt: true };
  const select = { accountId: true, kind: true, region: true, rateLimitPlan: true, erasedAt: true, ...state };
  const lock = { mode: 'pessimistic_write' } as const;
  return (await accounts.findOne({ select, where: { accountId }, lock })) ?? undefined;
}
