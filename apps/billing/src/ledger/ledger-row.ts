import type { LedgerEntryType } from '@capability-router/contracts';
import { creditsFromMicro, type AccountId, type JsonObject, type LedgerEntryId } from '@capability-router/kernel';
import type { LedgerEntry } from './domain/entry.js';
import type { WithLots } from './lots-of-entry.sql.js';

/** A row of `ledger_entries` as the driver returns it: BIGINT arrives as text. */
export interface LedgerEntryRow {
  readonly entry_id: LedgerEntryId;
  readonly account_id: AccountId;
  readonly entry_seq: string;
  readonly entry_type: LedgerEntryType;
  readonly amount_micro: string;
  readonly balance_before_micro: string;
  readonly balance_after_micro: string;
  readonly source_system: string;
  readonly source_ref_type: string;
  readonly source_ref_id: string;
  readonly execution_id: string | null;
  readonly description: string;
  readonly metadata: JsonObject;
  readonly pre_settlement_bill: JsonObject | null;
  readonly settlement_result: JsonObject | null;
  readonly effective_at: Date;
  readonly created_at: Date;
  readonly previous_hash: string;
  readonly hash: string;
}

export function ledgerEntryFromRow(row: LedgerEntryRow): LedgerEntry {
  return {
    entryId: row.entry_id,
    accountId: row.account_id,
    entrySeq: BigInt(row.entry_seq),
    entryType: row.entry_type,
    amount: creditsFromMicro(BigInt(row.amount_micro)),
    balanceBefore: creditsFromMicro(BigInt(row.balance_before_micro)),
    balanceAfter: creditsFromMicro(BigInt(row.balance_after_micro)),
    sourceSystem: row.source_system,
    sourceRefType: row.source_ref_type,
    sourceRefId: row.source_ref_id,
    executionId: row.execution_id,
    description: row.description,
    metadata: row.metadata,
    preSettlementBill: row.pre_settlement_bill,
    settlementResult: row.settlement_result,
    effectiveAt: row.effective_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

/** An entry with the lots that it moved. */
export type BookedEntry = LedgerEntry & WithLots;

/** A row that was read with its lots. */
export type BookedEntryRow = LedgerEntryRow & WithLots;

export const bookedEntryFromRow = (row: BookedEntryRow): BookedEntry => ({
  ...ledgerEntryFromRow(row),
  lots: row.lots,
});
