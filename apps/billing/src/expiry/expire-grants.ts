import type { AccountId, Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { isOvertaken } from '../ledger/posting/overtaken.js';
import { Posting } from '../ledger/posting/posting.js';
import { accountsWithExpiredLots } from './expired-lots.sql.js';

/** Accounts of one transaction. */
const ACCOUNTS_PER_BATCH = 100;
/** Transactions of one round; what is left is for the next. */
const MAX_BATCHES = 100;
/** Tries for an account whose holds come between; the next round tries again. */
const MAX_TRIES = 3;

export interface ExpiryReport {
  readonly accounts: number;
  readonly entries: number;
}

/**
 * Books what has expired: min(remainder, available) of each lot. What open holds may still burn is booked when they end,
 * by settlement or by a later round. Replicas may run it at once.
 */
export async function expireGrants(pool: pg.Pool, clock: Clock): Promise<ExpiryReport> {
  const sum = { accounts: 0, entries: 0 };
  let after = '';
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const accounts = await accountsWithExpiredLots(pool, new Date(clock.nowMs()), after, ACCOUNTS_PER_BATCH);
    sum.entries += await expireAccounts(pool, accounts, clock);
    sum.accounts += accounts.length;
    after = accounts.at(-1) ?? after;
    if (accounts.length < ACCOUNTS_PER_BATCH) break;
  }
  return sum;
}

/** One account's holds must not keep the others of its batch from expiring. */
async function expireAccounts(pool: pg.Pool, accounts: readonly AccountId[], clock: Clock): Promise<number> {
  if (accounts.length === 0) return 0;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    try {
      return await inTransaction(pool, (tx) => bookLapsed(tx, accounts, clock));
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      if (accounts.length > 1) break;
    }
  }
  let entries = 0;
  if (accounts.length > 1) for (const account of accounts) entries += await expireAccounts(pool, [account], clock);
  return entries;
}

/** @returns how many entries were booked */
export async function bookLapsed(tx: pg.PoolClient, accounts: readonly AccountId[], clock: Clock): Promise<number> {
  const posting = await Posting.openKnown(tx, accounts, clock);
  let entries = 0;
  for (const accountId of accounts) entries += posting.lapse(accountId, posting.available(accountId));
  if (entries > 0) await posting.write();
  return entries;
}
