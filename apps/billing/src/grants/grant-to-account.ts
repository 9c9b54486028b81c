import {
  AppError,
  creditsToNumber,
  MAX_ABSOLUTE_CREDITS,
  toIso,
  uuidv7,
  type AccountId,
  type Clock,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import type { LedgerEntry } from '../ledger/domain/entry.js';
import { Posting } from '../ledger/posting/posting.js';
import { grantOf, type Grant, type GrantToAccount } from './domain/grant.js';
import { postGrant } from './grant-credits.js';
import { isErased } from './grants.sql.js';

/**
 * Books it in the caller's transaction and tells what was booked. Throws `not_found` for an account that billing does not
 * know, `conflict` for one that is erased and for a balance that would pass what an account can hold.
 */
export async function grantToAccount(tx: pg.PoolClient, command: GrantToAccount, clock: Clock): Promise<JsonObject> {
  const { accountId, category, amount, expiresAt } = command;
  const posting = await Posting.openKnown(tx, [accountId], clock);
  if (!posting.known(accountId)) throw unknownAccount();
  await requireNotErased(tx, accountId);
  if (expiresAt !== null && Date.parse(expiresAt) <= posting.nowMs) {
    throw new AppError('validation_error', '"expires_at" is invalid: it should lie in the future', {
      details: [{ type: 'value_error', loc: ['body', 'expires_at'], msg: 'expires_at should lie in the future' }],
    });
  }
  const entry = posted(posting, grantOf(command, newGrantRef(posting.nowMs), posting.nowMs));
  await posting.write();
  return {
    grant_id: entry.entryId,
    account_id: accountId,
    entry_type: entry.entryType,
    category,
    amount_credits: creditsToNumber(amount),
    ...(expiresAt === null ? {} : { expires_at: toIso(Date.parse(expiresAt)) }),
    balance_credits: creditsToNumber(entry.balanceAfter),
    created_at: entry.createdAt,
  };
}

const newGrantRef = (nowMs: number): string => `grt_${uuidv7(nowMs).replaceAll('-', '')}`;

function posted(posting: Posting, grant: Grant): LedgerEntry {
  try {
    return postGrant(posting, grant);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('conflict', `An account holds at most ${MAX_ABSOLUTE_CREDITS} credits. Grant less.`, {
      cause: error,
    });
  }
}

/** The account is locked: an erasure that is noted meanwhile is seen, or waits until the grant is booked. */
async function requireNotErased(tx: pg.PoolClient, accountId: AccountId): Promise<void> {
  if (!(await isErased(tx, accountId))) return;
  throw new AppError('conflict', 'The account was erased. Nothing can be granted to it.');
}

/** The refusal of a command for an account that billing has not heard of. */
export const unknownAccount = (): AppError =>
  new AppError('not_found', 'There is no such account, or it was opened a moment ago: then try again.');
