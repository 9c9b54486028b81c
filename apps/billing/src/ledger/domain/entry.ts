import type { LedgerEntryType } from '@capability-router/contracts';
import {
  addCredits,
  canonicalJson,
  sha256Hex,
  type AccountId,
  type Credits,
  type JsonObject,
  type LedgerEntryId,
} from '@capability-router/kernel';

/** The last state of one account's chain. The account is the unit of order and of locking. */
export interface LedgerHead {
  readonly accountId: AccountId;
  readonly entrySeq: bigint;
  readonly balance: Credits;
  /** 64 hex digits; zeros before the first entry. */
  readonly lastHash: string;
  readonly settlementSeq: bigint;
}

/** An entry before it has an amount and a place in the chain. */
export interface Movement<T extends LedgerEntryType = LedgerEntryType> {
  readonly entryType: T;
  readonly sourceSystem: string;
  readonly sourceRefType: string;
  readonly sourceRefId: string;
  readonly executionId: string | null;
  readonly description: string;
  readonly metadata: JsonObject;
  readonly preSettlementBill: JsonObject | null;
  readonly settlementResult: JsonObject | null;
  readonly effectiveAt: string;
}

export interface LedgerEntry extends Movement {
  readonly entryId: LedgerEntryId;
  /** Signed: negative consumes. Never 0. */
  readonly amount: Credits;
  readonly accountId: AccountId;
  readonly entrySeq: bigint;
  readonly balanceBefore: Credits;
  readonly balanceAfter: Credits;
  readonly createdAt: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** Appends to the chain. Throws where the balance would fall below 0: a caller must have made sure by a hold. */
export function chainEntry(
  head: LedgerHead,
  movement: Movement,
  { entryId, amount, createdAt }: Pick<LedgerEntry, 'entryId' | 'amount' | 'createdAt'>,
): { entry: LedgerEntry; head: LedgerHead } {
  const balanceAfter = addCredits(head.balance, amount);
  if (balanceAfter < 0n) throw new Error(`entry ${entryId} would take ${head.accountId} below 0`);
  // Member by member: spreading costs a settling batch more than the hash does.
  const entry: LedgerEntry & { hash: string } = {
    entryId,
    entryType: movement.entryType,
    amount,
    sourceSystem: movement.sourceSystem,
    sourceRefType: movement.sourceRefType,
    sourceRefId: movement.sourceRefId,
    executionId: movement.executionId,
    description: movement.description,
    metadata: movement.metadata,
    preSettlementBill: movement.preSettlementBill,
    settlementResult: movement.settlementResult,
    effectiveAt: movement.effectiveAt,
    accountId: head.accountId,
    entrySeq: head.entrySeq + 1n,
    balanceBefore: head.balance,
    balanceAfter,
    createdAt,
    previousHash: head.lastHash,
    hash: '',
  };
  const hash = hashEntry(entry);
  entry.hash = hash;
  return {
    entry,
    head: {
      accountId: head.accountId,
      entrySeq: entry.entrySeq,
      balance: balanceAfter,
      lastHash: hash,
      settlementSeq: head.settlementSeq,
    },
  };
}

/**
 * SHA-256 over the canonical JSON of the row, version 1. Members are listed one by one: a column added later must not
 * change the hashes of old rows, it needs a version 2.
 */
export function hashEntry(entry: Omit<LedgerEntry, 'hash'>): string {
  return sha256Hex(canonicalEntry(entry));
}

const text = (value: string): string => JSON.stringify(value);

/**
 * Gives what `canonicalJson` makes of the row, written out in the order of its sorted keys. Ids, types, times and
 * hashes hold nothing that JSON escapes.
 */
export function canonicalEntry(entry: Omit<LedgerEntry, 'hash'>): string {
  return (
    `{"account_id":"${entry.accountId}","amount_micro":"${entry.amount}","balance_after_micro":"${entry.balanceAfter}",` +
    `"balance_before_micro":"${entry.balanceBefore}","created_at":"${entry.createdAt}","description":${text(entry.description)},` +
    `"effective_at":"${entry.effectiveAt}","entry_id":"${entry.entryId}","entry_seq":"${entry.entrySeq}",` +
    `"entry_type":"${entry.entryType}","execution_id":${entry.executionId === null ? 'null' : text(entry.executionId)},` +
    `"metadata":${canonicalJson(entry.metadata)},"pre_settlement_bill":${canonicalJson(entry.preSettlementBill)},` +
    `"previous_hash":"${entry.previousHash}","settlement_result":${canonicalJson(entry.settlementResult)},` +
    `"source_ref_id":${text(entry.sourceRefId)},"source_ref_type":${text(entry.sourceRefType)},` +
    `"source_system":${text(entry.sourceSystem)},"version":1}`
  );
}
