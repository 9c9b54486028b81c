import {
  AppError,
  creditsToNumber,
  formatCredits,
  toIso,
  uuidv7,
  type AccountId,
  type Clock,
  type Credits,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import type { GrantCategory } from '../grants/grant-categories.js';
import { grantToAccount, unknownAccount } from '../grants/grant-to-account.js';
import type { LedgerEntry, Movement } from '../ledger/domain/entry.js';
import { traitsOf } from '../ledger/domain/entry-types.js';
import { Posting } from '../ledger/posting/posting.js';
import { findEntry, type FoundEntry } from '../refunds/find-entry.sql.js';
import { takeable } from '../refunds/refund-payment.js';

/** Puts right what no other command does. */
export interface CorrectAccount {
  readonly accountId: AccountId;
  /** Above 0 gives, below 0 takes. */
  readonly amount: Credits;
  /** What is undone by it, whole or in part; absent: nothing in particular. */
  readonly entryId?: string | undefined;
  /** Of a lot of its own; only where it gives and undoes nothing in particular, and then always. */
  readonly category?: GrantCategory | undefined;
  readonly expiresAt?: string | undefined;
  readonly reference?: string | undefined;
}

/** Books a correction as a new entry, in the caller's transaction. Throws `not_found` and `conflict`. */
export async function correctAccount(tx: pg.PoolClient, command: CorrectAccount, clock: Clock): Promise<JsonObject> {
  const { accountId, amount, entryId, category } = command;
  if (entryId === undefined && amount > 0n) {
    if (category === undefined) throw new Error('a correction that gives needs a category');
    const { expiresAt = null, reference } = command;
    return grantToAccount(tx, { accountId, category, amount, expiresAt, reference, correction: true }, clock);
  }
  const posting = await Posting.openKnown(tx, [accountId], clock);
  if (!posting.known(accountId)) throw unknownAccount();
  const entry =
    entryId === undefined
      ? takeFromAll(posting, command)
      : await undo(posting, command, await requireEntry(tx, accountId, entryId));
  await posting.write();
  return {
    ledger_entry_id: entry.entryId,
    account_id: accountId,
    entry_type: entry.entryType,
    ...(entryId === undefined ? {} : { corrected_entry_id: entryId }),
    amount_credits: creditsToNumber(entry.amount),
    balance_credits: creditsToNumber(entry.balanceAfter),
    created_at: entry.createdAt,
  };
}

function takeFromAll(posting: Posting, command: CorrectAccount): LedgerEntry {
  const { accountId, amount } = command;
  const taken = -amount as Credits;
  const available = posting.available(accountId);
  if (taken > available) throw tooMuch(taken, available, 'The account has');
  return posting.burn(accountId, movementOf('consume_correction', command, posting.nowMs), taken);
}

async function requireEntry(tx: pg.PoolClient, accountId: AccountId, entryId: string): Promise<FoundEntry> {
  const found = await findEntry(tx, accountId, entryId);
  if (found === undefined) throw new AppError('not_found', `The account has no ledger entry ${entryId}.`);
  return found;
}

async function undo(posting: Posting, command: CorrectAccount, found: FoundEntry): Promise<LedgerEntry> {
  const { accountId, amount } = command;
  const { undoable } = traitsOf(found.entryType);
  if (amount > 0n && undoable === 'giving_back') {
    const left = await posting.unwindable(found.entryId);
    if (amount > left) throw tooMuch(amount, left, 'To be given back of this entry are');
    const { entry } = await posting.restore(
      accountId,
      movementOf('grant_correction', command, posting.nowMs),
      amount,
      found.entryId,
    );
    return entry;
  }
  // A correction that gave back to other lots has made none.
  if (amount < 0n && undoable === 'taking' && found.sourceRefType === 'grant') {
    const taken = takeable(posting, accountId, found.entryId, -amount as Credits);
    return posting.burn(accountId, movementOf('consume_correction', command, posting.nowMs), taken, found.entryId);
  }
  throw new AppError('conflict', howToUndo(found, amount));
}

function howToUndo({ entryId, entryType, amount }: FoundEntry, wanted: Credits): string {
  if (traitsOf(entryType).undoable === 'refund') return `${entryId} is a charge. Refund it instead.`;
  const what = `${entryId} is a ${entryType} of ${formatCredits(amount)} credits`;
  if (wanted > 0n === amount > 0n) return `${what}: what undoes it has the other sign.`;
  return `${what}, which cannot be undone. Send a correction without ledger_entry_id.`;
}

function tooMuch(wanted: Credits, most: Credits, what: string): AppError {
  const message = `${what} ${formatCredits(most)} credits, ${formatCredits(wanted)} are asked for. Correct by less.`;
  const detail = { type: 'too_much', loc: ['body', 'amount_credits'], msg: message };
  return new AppError('conflict', message, { details: [{ ...detail, takeable_credits: creditsToNumber(most) }] });
}

function movementOf<T extends 'grant_correction' | 'consume_correction'>(
  entryType: T,
  { entryId, reference }: CorrectAccount,
  nowMs: number,
): Movement<T> {
  return {
    entryType,
    sourceSystem: 'admin',
    // Undoing refers to what is undone; what stands alone names itself.
    sourceRefType: 'refund',
    sourceRefId: entryId ?? `cor_${uuidv7(nowMs).replaceAll('-', '')}`,
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
