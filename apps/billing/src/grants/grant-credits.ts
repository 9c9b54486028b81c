import type { AccountId, Clock, Credits, JsonObject } from '@capability-router/kernel';
import type pg from 'pg';
import type { LedgerEntry, Movement } from '../ledger/domain/entry.js';
import type { PostedBy } from '../ledger/domain/entry-types.js';
import { Posting } from '../ledger/posting/posting.js';
import { bookedGrants } from './grants.sql.js';

/** A grant becomes one ledger entry and one lot. `grantRef` names it once and for all: a second one changes nothing. */
export interface Grant {
  readonly grantRef: string;
  readonly accountId: AccountId;
  readonly amount: Credits;
  readonly entryType: PostedBy<'grant'>;
  readonly category: string;
  readonly expiresAt: string | null;
  readonly sourceSystem: string;
  readonly description: string;
  readonly metadata: JsonObject;
  readonly effectiveAt: string;
}

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
  return posting.grant(accountId, movementOf(grant), amount, { category, expiresAt, grantRef });
}

function movementOf(grant: Grant): Movement<PostedBy<'grant'>> {
  return {
    entryType: grant.entryType,
    sourceSystem: grant.sourceSystem,
    sourceRefType: 'grant',
    sourceRefId: grant.grantRef,
    executionId: null,
    description: grant.description,
    metadata: { ...grant.metadata, category: grant.category },
    preSettlementBill: null,
    settlementResult: null,
    effectiveAt: grant.effectiveAt,
  };
}
