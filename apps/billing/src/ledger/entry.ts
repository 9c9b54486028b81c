import { createHash } from 'node:crypto';
import type { LedgerEntryType } from '@capability-router/contracts';
import {
  addCredits,
  canonicalJson,
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

/** A movement before it has a place in the chain. */
export interface PendingEntry {
  readonly entryId: LedgerEntryId;
  readonly entryType: LedgerEntryType;
  /** Signed: negative consumes. Never 0. */
  readonly amount: Credits;
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

export interface LedgerEntry extends PendingEntry {
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
  pending: PendingEntry,
  createdAt: string,
): { entry: LedgerEntry; head: LedgerHead } {
  const balanceAfter = addCredits(head.balance, pending.amount);
  if (balanceAfter < 0n) throw new Error(`entry ${pending.entryId} would take ${head.accountId} below 0`);
  const unhashed = {
    ...pending,
    accountId: head.accountId,
    entrySeq: head.entrySeq + 1n,
    balanceBefore: head.balance,
    balanceAfter,
    createdAt,
    previousHash: head.lastHash,
  };
  const hash = hashEntry(unhashed);
  return {
    entry: { ...unhashed, hash },
    head: { ...head, entrySeq: unhashed.entrySeq, balance: balanceAfter, lastHash: hash },
  };
}

/**
 * SHA-256 over the canonical JSON of the row, version 1. Members are listed one by one: a column added later must not
 * change the hashes of old rows, it needs a version 2.
 */
export function hashEntry(entry: Omit<LedgerEntry, 'hash'>): string {
  const canonical = canonicalJson({
    version: 1,
    entry_id: entry.entryId,
    account_id: entry.accountId,
    entry_seq: entry.entrySeq.toString(),
    entry_type: entry.entryType,
    amount_micro: entry.amount.toString(),
    balance_before_micro: entry.balanceBefore.toString(),
    balance_after_micro: entry.balanceAfter.toString(),
    source_system: entry.sourceSystem,
    source_ref_type: entry.sourceRefType,
    source_ref_id: entry.sourceRefId,
    execution_id: entry.executionId,
    description: entry.description,
    metadata: entry.metadata,
    pre_settlement_bill: entry.preSettlementBill,
    settlement_result: entry.settlementResult,
    effective_at: entry.effectiveAt,
    created_at: entry.createdAt,
    previous_hash: entry.previousHash,
  });
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}
