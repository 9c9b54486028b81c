import {
  AppError,
  creditsToNumber,
  formatCredits,
  toIso,
  type AccountId,
  type Credits,
} from '@capability-router/kernel';
import type { GrantCategory } from '../../grants/domain/grant-categories.js';
import type { Movement } from '../../ledger/domain/entry.js';
import { traitsOf } from '../../ledger/domain/entry-types.js';
import type { FoundEntry } from '../../refunds/domain/found-entry.js';

/** Puts right what no other command does. */
export interface CorrectAccount {
  readonly accountId: AccountId;
  /** Above 0 gives, below 0 takes. */
  readonly amount: Credits;
  /** The entry that it undoes, whole or in part; absent: none in particular. */
  readonly entryId?: string | undefined;
  /** The category of the lot that it makes; only where it gives and undoes nothing in particular, and then always. */
  readonly category?: GrantCategory | undefined;
  readonly expiresAt?: string | undefined;
  readonly reference?: string | undefined;
}

/** How an entry is undone by this amount. Throws `conflict` where a correction cannot undo it. */
export function undoingOf(found: FoundEntry, amount: Credits): 'giving_back' | 'taking' {
  const { undoable } = traitsOf(found.entryType);
  if (amount > 0n && undoable === 'giving_back') return undoable;
  // A correction that gave back to other lots has made none.
  if (amount < 0n && undoable === 'taking' && found.sourceRefType === 'grant') return undoable;
  throw new AppError('conflict', howToUndo(found, amount));
}

function howToUndo({ entryId, entryType, amount }: FoundEntry, wanted: Credits): string {
  if (traitsOf(entryType).undoable === 'refund') return `${entryId} is a charge. Refund it instead.`;
  const what = `${entryId} is a ${entryType} of ${formatCredits(amount)} credits`;
  if (wanted > 0n === amount > 0n) return `${what}: what undoes it has the other sign.`;
  return `${what}, which cannot be undone. Send a correction without ledger_entry_id.`;
}

/** The refusal of a correction of more than can be taken or given back. */
export function tooMuch(wanted: Credits, most: Credits, what: string): AppError {
  const message = `${what} ${formatCredits(most)} credits, ${formatCredits(wanted)} are asked for. Correct by less.`;
  const detail = { type: 'too_much', loc: ['body', 'amount_credits'], msg: message };
  return new AppError('conflict', message, { details: [{ ...detail, takeable_credits: creditsToNumber(most) }] });
}

/** `refId`: the entry that is undone; what undoes nothing in particular names itself. */
export function correctionMovement<T extends 'grant_correction' | 'consume_correction'>(
  entryType: T,
  { entryId, reference }: CorrectAccount,
  refId: string,
  nowMs: number,
): Movement<T> {
  return {
    entryType,
    sourceSystem: 'admin',
    sourceRefType: 'refund',
    sourceRefId: refId,
    executionId: null,
    description: 'Correction',
    metadata: {
      ...(entryId === undefined ? {} : { corrected_entry_id: entryId }),
      ...(reference === undefined ? {} : { reference }),
    },
    preSettlementBill: null,
    settlementResult: null,
    effectiveAt: toIso(nowMs),
  };
}
