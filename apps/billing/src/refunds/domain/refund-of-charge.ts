import {
  AppError,
  creditsToNumber,
  formatCredits,
  toIso,
  type AccountId,
  type Credits,
} from '@capability-router/kernel';
import type { Movement } from '../../ledger/domain/entry.js';
import { traitsOf, type PostedBy } from '../../ledger/domain/entry-types.js';
import { projectIdKey } from '../../ledger/domain/project-of.js';
import type { FoundEntry } from './found-entry.js';

/** Credits of a charge go back to the account. */
export interface RefundCharge {
  readonly accountId: AccountId;
  /** `exec_…`, `srch_…` or `imp_…`, the UUID of the usage event, or the `led_…` of the charge. */
  readonly of: string;
  /** Absent: all that was not refunded yet. */
  readonly amount?: Credits | undefined;
  readonly reference?: string | undefined;
}

export const isCharge = ({ entryType }: FoundEntry): boolean => traitsOf(entryType).undoable === 'refund';

/**
 * The amount that goes back of a charge of which so much is left: all of that without a wish. Throws `conflict` for more
 * than is left, and where nothing is.
 */
export function refundable(wanted: Credits | undefined, charged: Credits, left: Credits): Credits {
  const amount = wanted ?? left;
  if (amount > left || amount === 0n) throw nothingLeft(charged, left);
  return amount;
}

function nothingLeft(charged: Credits, left: Credits): AppError {
  const message =
    left === 0n
      ? `All ${formatCredits(charged)} credits of this charge were refunded before.`
      : `Of this charge, ${formatCredits(left)} of ${formatCredits(charged)} credits can still be refunded.`;
  const detail = { type: 'not_refundable', loc: ['body', 'amount_credits'], msg: message };
  return new AppError('conflict', message, { details: [{ ...detail, refundable_credits: creditsToNumber(left) }] });
}

/** It is counted for the project of the charge. It carries no execution id of its own: the entry of an execution is its charge, and there is one. */
export function refundMovement(
  charge: FoundEntry,
  reference: string | undefined,
  nowMs: number,
): Movement<PostedBy<'restore'>> {
  return {
    entryType: 'grant_charge_refund',
    sourceSystem: 'admin',
    sourceRefType: 'refund',
    sourceRefId: charge.entryId,
    executionId: null,
    description: 'Refund of a charge',
    metadata: {
      charge_entry_id: charge.entryId,
      charge_ref_type: charge.sourceRefType,
      charge_ref_id: charge.sourceRefId,
      ...(charge.projectId === undefined ? {} : { [projectIdKey]: charge.projectId }),
      ...(reference === undefined ? {} : { reference }),
    },
    preSettlementBill: null,
    settlementResult: null,
    effectiveAt: toIso(nowMs),
  };
}
