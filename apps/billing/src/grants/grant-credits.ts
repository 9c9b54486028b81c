import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { LedgerEntry } from '../ledger/domain/entry.js';
import { Posting } from '../ledger/posting/posting.js';
import { grantMovement, type Grant } from './domain/grant.js';
import { bookedGrants } from './grants.sql.js';

/**
 * Books those grants that were not booked before, in the caller's transaction; an account that is new to billing gets
 * its balance.
 */
export async function grantCredits(
  tx: pg.PoolClient,
  grants: readonly Grant[],
  clock: Pick<Clock, 'nowMs'>,
): Promise<void> {
  if (grants.length === 0) return;
  const accounts = grants.map((grant) => grant.accountId);
  const posting = await Posting.open(tx, accounts, clock);
  const booked = await bookedGrants(
    tx,
    grants.map((grant) => grant.grantRef),
  );
  for (const grant of grants) {
    posting.openAccount(grant.accountId);
    if (grant.amount === 0n || booked.has(grant.grantRef)) continue;
    booked.add(grant.grantRef);
    postGrant(posting, grant);
  }
  await posting.write();
}

/** Into a posting that has locked the account. Throws a `RangeError` where the balance passes what an account can hold. */
export function postGrant(posting: Posting, grant: Grant): LedgerEntry {
  const { accountId, amount, category, expiresAt, grantRef } = grant;
  return posting.grant(accountId, grantMovement(grant), amount, { category, expiresAt, grantRef });
}
