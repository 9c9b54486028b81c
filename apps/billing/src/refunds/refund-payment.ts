import {
  AppError,
  creditsToNumber,
  formatCredits,
  minCredits,
  toIso,
  ZERO_CREDITS,
  type AccountId,
  type Clock,
  type Credits,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import { unknownAccount } from '../grants/grant-to-account.js';
import type { Movement } from '../ledger/domain/entry.js';
import { traitsOf, type PostedBy } from '../ledger/domain/entry-types.js';
import { Posting } from '../ledger/posting/posting.js';
import { findEntry } from './find-entry.sql.js';

/** Money went back to whoever paid for a top-up; its credits leave the account. */
export interface RefundPayment {
  readonly accountId: AccountId;
  /** Of the top-up, `led_…`. */
  readonly grantId: string;
  /** Absent: all that is left of it. */
  readonly amount?: Credits | undefined;
  readonly reference?: string | undefined;
}

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
  if (traitsOf(grant.entryType).paid !== true) {
    throw new AppError('conflict', `${grantId} is a ${grant.entryType}, not a top-up: nobody paid for it.`);
  }
  const amount = takeable(posting, accountId, grantId, command.amount);
  const entry = posting.burn(accountId, movementOf(command, posting.nowMs), amount, grantId);
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

/**
 * The amount that may leave one lot: no more than is left of it, and than no open hold may still spend. Without a wish,
 * all of that. Throws `conflict`.
 */
export function takeable(posting: Posting, accountId: AccountId, lotId: string, wanted: Credits | undefined): Credits {
  const remaining = posting.lotsOf(accountId).find((lot) => lot.lotId === lotId)?.remaining ?? ZERO_CREDITS;
  const most = minCredits(remaining, posting.available(accountId));
  const amount = wanted ?? most;
  if (amount > 0n && amount <= most) return amount;
  const message =
    `${formatCredits(most)} credits can be taken of this grant: ${formatCredits(remaining)} are left of it, and ` +
    `${formatCredits(posting.available(accountId))} of the account are not held by calls.`;
  const detail = { type: 'not_takeable', loc: ['body', 'amount_credits'], msg: message };
  throw new AppError('conflict', message, { details: [{ ...detail, takeable_credits: creditsToNumber(most) }] });
}

function movementOf({ grantId, reference }: RefundPayment, nowMs: number): Movement<PostedBy<'burn'>> {
  return {
    entryType: 'consume_payment_refund',
    sourceSystem: 'admin',
    sourceRefType: 'refund',
    sourceRefId: grantId,
    executionId: null,
    description: 'Payment returned',
    metadata: { grant_id: grantId, ...(reference === undefined ? {} : { reference }) },
    preSettlementBill: null,
    settlementResult: null,
    effectiveAt: toIso(nowMs),
  };
}
