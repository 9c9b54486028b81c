import {
  AppError,
  creditsToNumber,
  uuidv7,
  type AccountId,
  type Clock,
  type Credits,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import { grantToAccount, unknownAccount } from '../grants/grant-to-account.js';
import type { LedgerEntry, Movement } from '../ledger/domain/entry.js';
import { Posting } from '../ledger/posting/posting.js';
import type { FoundEntry } from '../refunds/domain/found-entry.js';
import { findEntry } from '../refunds/find-entry.sql.js';
import { takeableOf } from '../refunds/refund-payment.js';
import { correctionMovement, tooMuch, undoingOf, type CorrectAccount } from './domain/correction.js';

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
  if (undoingOf(found, amount) === 'giving_back') {
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
  const taken = takeableOf(posting, accountId, found.entryId, -amount as Credits);
  return posting.burn(accountId, movementOf('consume_correction', command, posting.nowMs), taken, found.entryId);
}

function movementOf<T extends 'grant_correction' | 'consume_correction'>(
  entryType: T,
  command: CorrectAccount,
  nowMs: number,
): Movement<T> {
  const refId = command.entryId ?? `cor_${uuidv7(nowMs).replaceAll('-', '')}`;
  return correctionMovement(entryType, command, refId, nowMs);
}
