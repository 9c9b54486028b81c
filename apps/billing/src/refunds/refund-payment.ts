import {
  AppError,
  creditsToNumber,
  ZERO_CREDITS,
  type AccountId,
  type Clock,
  type Credits,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import { unknownAccount } from '../grants/grant-to-account.js';
import { Posting } from '../ledger/posting/posting.js';
import { isPaid, paymentRefundMovement, takeable, type RefundPayment } from './domain/refund-of-payment.js';
import { findEntry } from './find-entry.sql.js';

/**
 * Takes what is left of a top-up, in the caller's transaction: what was spent of it was delivered, and what open calls
 * hold may be spent yet. Throws `not_found` and `conflict`, having written nothing.
 */
export async function refundPayment(tx: pg.PoolClient, command: RefundPayment, clock: Clock): Promise<JsonObject> {
  const { accountId, grantId } = command;
  const posting = await Posting.openKnown(tx, [accountId], clock);
  if (!posting.known(accountId)) throw unknownAccount();
  const grant = await findEntry(tx, accountId, grantId);
  if (grant === undefined) throw new AppError('not_found', `The account has no grant ${grantId}.`);
  if (!isPaid(grant)) {
    throw new AppError('conflict', `${grantId} is a ${grant.entryType}, not a top-up: nobody paid for it.`);
  }
  const amount = takeableOf(posting, accountId, grantId, command.amount);
  const entry = posting.burn(accountId, paymentRefundMovement(command, posting.nowMs), amount, grantId);
  await posting.write();
  return {
    ledger_entry_id: entry.entryId,
    account_id: accountId,
    entry_type: entry.entryType,
    grant_id: grantId,
    amount_credits: creditsToNumber(entry.amount),
    balance_credits: creditsToNumber(entry.balanceAfter),
    created_at: entry.createdAt,
  };
}

/** As `takeable`, of a lot as the posting has it. */
export function takeableOf(
  posting: Posting,
  accountId: AccountId,
  lotId: string,
  wanted: Credits | undefined,
): Credits {
  const remaining = posting.lotsOf(accountId).find((lot) => lot.lotId === lotId)?.remaining ?? ZERO_CREDITS;
  return takeable({ remaining, available: posting.available(accountId) }, wanted);
}
