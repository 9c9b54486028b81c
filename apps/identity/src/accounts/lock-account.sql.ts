import type { AccountKind } from '@capability-router/contracts';
import type pg from 'pg';
import type { AccountStatus } from './account.js';

// The account row is the lock under which its stream grows, so that facts of one account get their order here.
const sql = `SELECT kind, status, erased_at AS "erasedAt" FROM accounts WHERE account_id = $1 FOR UPDATE`;

export interface LockedAccount {
  readonly kind: AccountKind;
  readonly status: AccountStatus;
  readonly erasedAt: Date | null;
}

/** Undefined when there is no such account. */
export async function lockAccount(tx: pg.ClientBase, accountId: string): Promise<LockedAccount | undefined> {
  const { rows } = await tx.query<LockedAccount>(sql, [accountId]);
  return rows[0];
}
