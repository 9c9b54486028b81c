import { creditsToNumber, type JsonValue } from '@capability-router/kernel';
import type { LedgerEntry } from '../ledger/domain/entry.js';

/** One item of the settlement history. What an entry does not have is absent. */
export function settlementItemView(entry: LedgerEntry): Record<string, unknown> {
  const { preSettlementBill: bill, settlementResult: result } = entry;
  return {
    id: entry.entryId,
    source: 'ledger',
    entry_type: entry.entryType,
    amount_credits: creditsToNumber(entry.amount),
    source_system: entry.sourceSystem,
    source_ref_type: entry.sourceRefType,
    source_ref_id: entry.sourceRefId,
    ...(entry.executionId === null ? {} : { execution_id: entry.executionId }),
    description: entry.description,
    ...textOf('display_target', entry.metadata['tool_id']),
    ...textOf('billing_summary', bill?.['summary']),
    ...textOf('billing_snapshot_status', result?.['status']),
    details_available: bill !== null || result !== null,
    created_at: entry.createdAt,
  };
}

const textOf = (name: string, value: JsonValue | undefined): Record<string, string> =>
  typeof value === 'string' ? { [name]: value } : {};
