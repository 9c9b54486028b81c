import { appendBatch } from '@capability-router/event-store';
import { topicNames, type ChargeRefunded } from '@capability-router/contracts';
import {
  AppError,
  creditsToNumber,
  subtractCredits,
  usageEventIdOf,
  type AccountId,
  type Clock,
  type Credits,
  type ExecutionId,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import { unknownAccount } from '../grants/grant-to-account.js';
import { Posting } from '../ledger/posting/posting.js';
import type { FoundEntry } from './domain/found-entry.js';
import { isCharge, refundable, refundMovement, type RefundCharge } from './domain/refund-of-charge.js';
import { findChargeOf, findEntry } from './find-entry.sql.js';

/**
 * Books the refund in the caller's transaction, gives what the charge burned back into the same lots, last burned first,
 * and records it for the audit. Refunds of one charge never pass it. Throws `not_found` and `conflict`, having written
 * nothing.
 */
export async function refundCharge(tx: pg.PoolClient, command: RefundCharge, clock: Clock): Promise<JsonObject> {
  const { accountId } = command;
  const posting = await Posting.openKnown(tx, [accountId], clock);
  if (!posting.known(accountId)) throw unknownAccount();
  const charge = await requireCharge(tx, accountId, command.of);
  const charged = -charge.amount as Credits;
  const left = await posting.unwindable(charge.entryId);
  const amount = refundable(command.amount, charged, left);
  const movement = refundMovement(charge, command.reference, posting.nowMs);
  const { entry, restores } = await posting.restore(accountId, movement, amount, charge.entryId);
  const refunded = subtractCredits(charged, subtractCredits(left, amount));
  await recordRefund(tx, {
    accountId,
    ledgerEntryId: entry.entryId,
    chargeEntryId: charge.entryId,
    // The audit row of whatever was charged has the UUID inside its reference.
    usageEventId: usageEventIdOf(charge.sourceRefId as ExecutionId),
    amountMicroCredits: amount.toString(),
    refundedMicroCredits: refunded.toString(),
    effectiveAt: charge.effectiveAt,
    refundedAt: entry.createdAt,
  });
  await posting.write();
  return {
    ledger_entry_id: entry.entryId,
    account_id: accountId,
    entry_type: entry.entryType,
    charge_entry_id: charge.entryId,
    charge_ref_id: charge.sourceRefId,
    ...(charge.executionId === null ? {} : { execution_id: charge.executionId }),
    amount_credits: creditsToNumber(amount),
    charged_credits: creditsToNumber(charged),
    refunded_credits: creditsToNumber(refunded),
    restored: restores.map(({ lotId, amount: restored }) => ({
      grant_id: lotId,
      amount_credits: creditsToNumber(restored),
    })),
    balance_credits: creditsToNumber(entry.balanceAfter),
    created_at: entry.createdAt,
  };
}

async function requireCharge(tx: pg.PoolClient, accountId: AccountId, of: string): Promise<FoundEntry> {
  const found = of.startsWith('led_') ? await findEntry(tx, accountId, of) : await findChargeOf(tx, accountId, of);
  if (found === undefined) {
    throw new AppError(
      'not_found',
      `The account has no charge of ${of}. A call that has just ended is settled in a moment.`,
    );
  }
  if (found === 'uncharged') throw new AppError('conflict', `${of} was not charged, so there is nothing to refund.`);
  if (!isCharge(found)) {
    throw new AppError('conflict', `${of} is a ${found.entryType}, not a charge. Undo it with a correction.`);
  }
  return found;
}

async function recordRefund(tx: pg.PoolClient, fact: ChargeRefunded): Promise<void> {
  const event = {
    type: 'ChargeRefunded',
    topic: topicNames.usageRecords,
    partitionKey: fact.accountId,
    data: fact,
    time: fact.refundedAt,
  };
  await appendBatch(tx, 'billing', [{ streamId: `refund:${fact.ledgerEntryId}`, sequence: 1, event }]);
}
