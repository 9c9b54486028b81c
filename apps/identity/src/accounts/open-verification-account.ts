import { VERIFICATION_ACCOUNT_ID } from '@capability-router/contracts';
import { creditsFromMicro, isAccountId, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { lockAccount } from './lock-account.js';
import { lockVerificationAccount } from './lock-verification-account.sql.js';
import { openAccount } from './open-account.js';

/** A million credits. What may be spent of them on one day is a budget of the registry's. */
const CREDITS = creditsFromMicro(1_000_000_000_000n);

/** Opens the account on which tools are verified, unless it is there. True where it was opened. */
export function openVerificationAccount(pool: pg.Pool, clock: Clock): Promise<boolean> {
  const accountId = VERIFICATION_ACCOUNT_ID;
  if (!isAccountId(accountId)) throw new Error('the account of verification has no id of an account');
  return inTransaction(pool, async (tx) => {
    await lockVerificationAccount(tx);
    if ((await lockAccount(tx, accountId)) !== undefined) return false;
    const grant = { category: 'welcome_bonus', amount: CREDITS } as const;
    await openAccount(tx, { accountId, kind: 'formal', name: 'Verification', grant, nowMs: clock.nowMs() });
    return true;
  });
}
