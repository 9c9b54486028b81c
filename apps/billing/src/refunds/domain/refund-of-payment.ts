import {
  AppError,
  creditsToNumber,
  formatCredits,
  minCredits,
  toIso,
  type AccountId,
  type Credits,
} from '@capability-router/kernel';
import type { Movement } from '../../ledger/domain/entry.js';
import { traitsOf, type PostedBy } from '../../ledger/domain/entry-types.js';
import type { FoundEntry } from './found-entry.js';

/** Money went back to whoever paid for a top-up; its credits leave the account. */
export interface RefundPayment {
  readonly accountId: AccountId;
  /** The id of the top-up, `led_…`. */
  readonly grantId: string;
  /** Absent: all that is left of it. */
  readonly amount?: Credits | undefined;
  readonly reference?: string | undefined;
}

/** True of a top-up: somebody paid for it. */
export const isPaid = ({ entryType }: FoundEntry): boolean => traitsOf(entryType).paid === true;

/**
 * The amount that may leave one lot: no more than is left of it, and than no open hold may still spend. Without a wish,
 * all of that. Throws `conflict`.
 */
export function takeable(
  { remaining, available }: { readonly remaining: Credits; readonly available: Credits },
  wanted: Credits | undefined,
): Credits {
  const most = minCredits(remaining, available);
  const amount = wanted ?? most;
  if (amount > 0n && amount <= most) return amount;
  const message =
    `${formatCredits(most)} credits can be taken of this grant: ${formatCredits(remaining)} are left of it, and ` +
    `${formatCredits(available)} of the account are not held by calls.`;
  const detail = { type: 'not_takeable', loc: ['body', 'amount_credits'], msg: message };
  throw new AppError('conflict', message, { details: [{ ...detail, takeable_credits: creditsToNumber(most) }] });
}

export function paymentRefundMovement(
  { grantId, reference }: RefundPayment,
  nowMs: number,
): Movement<PostedBy<'burn'>> {
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
