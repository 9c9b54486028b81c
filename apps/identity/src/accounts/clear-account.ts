import type pg from 'pg';
import { accountsIn } from './accounts-in.js';

/** Stands where a name must be. */
const ERASED_NAME = 'erased';

/** Closes the account and leaves its id, its kind and when it was opened. The caller has locked it. */
export async function clearAccount(tx: pg.ClientBase, accountId: string, nowMs: number): Promise<void> {
  const erased = {
    status: 'closed',
    name: ERASED_NAME,
    email: null,
    emailCanonical: null,
    region: null,
    rateLimitPlan: null,
  } as const;
  await (await accountsIn(tx)).update({ accountId }, { ...erased, erasedAt: new Date(nowMs) });
}
