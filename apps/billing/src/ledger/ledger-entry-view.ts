import {
  creditsFromMicro,
  creditsToNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@capability-router/kernel';
import type { BookedEntry } from './ledger-row.js';
import { lotsView } from './lots-of-entry.sql.js';

/** The ledger entry as the API shows it. */
export function ledgerEntryView(entry: BookedEntry): Record<string, unknown> {
  return {
    id: entry.entryId,
    entry_type: entry.entryType,
    amount_credits: creditsToNumber(entry.amount),
    source_system: entry.sourceSystem,
    source_ref_type: entry.sourceRefType,
    source_ref_id: entry.sourceRefId,
    execution_id: entry.executionId,
    pre_settlement_bill: entry.preSettlementBill === null ? null : amountsAsNumbers(entry.preSettlementBill),
    settlement_result: entry.settlementResult === null ? null : amountsAsNumbers(entry.settlementResult),
    balance_before: { total_available_credits: creditsToNumber(entry.balanceBefore) },
    balance_after: { total_available_credits: creditsToNumber(entry.balanceAfter) },
    ledger_metadata: entry.metadata,
    description: entry.description,
    entry_seq: Number(entry.entrySeq),
    lots: lotsView(entry.lots),
    hash: entry.hash,
    effective_at: entry.effectiveAt,
    created_at: entry.createdAt,
  };
}

const MICRO_SUFFIX = '_micro_credits';

/** Stored snapshots hold amounts as decimal strings, so that the hash never depends on a float; the API shows numbers. */
function amountsAsNumbers(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]): [string, JsonValue] => {
      if (key.endsWith(MICRO_SUFFIX) && typeof member === 'string') {
        return [`${key.slice(0, -MICRO_SUFFIX.length)}_credits`, creditsToNumber(creditsFromMicro(BigInt(member)))];
      }
      if (Array.isArray(member))
        return [key, member.map((item) => (isJsonObject(item) ? amountsAsNumbers(item) : item))];
      return [key, isJsonObject(member) ? amountsAsNumbers(member) : member];
    }),
  );
}
