import type { Credits, JsonObject } from '@capability-router/kernel';
import { isBilledSearch } from '../../holds/domain/billable-id.js';
import type { Movement } from '../../ledger/domain/entry.js';
import type { PostedBy } from '../../ledger/domain/entry-types.js';
import { projectIdKey } from '../../ledger/domain/project-of.js';
import type { SettlementRequest } from './request-settlement.js';

/** The ledger's view of one charged execution or search. */
export function chargeMovement(request: SettlementRequest, charge: Credits): Movement<PostedBy<'charge'>> {
  const { end, billableId } = request;
  return {
    ...(isBilledSearch(billableId)
      ? {
          entryType: 'consume_tool_search' as const,
          sourceSystem: 'registry',
          sourceRefType: 'search',
          executionId: null,
          description: `Search: ${end.bill.summary}`,
        }
      : {
          entryType: 'consume_tool_execute' as const,
          sourceSystem: 'execution',
          sourceRefType: 'execution',
          executionId: billableId,
          description: `${end.toolId ?? 'tool'}: ${end.bill.summary}`,
        }),
    sourceRefId: billableId,
    metadata: definedOnly({
      tool_id: end.toolId,
      provider_id: end.providerId,
      session_id: end.sessionId,
      search_id: end.searchId,
      [projectIdKey]: end.projectId,
    }),
    preSettlementBill: billSnapshot(request),
    settlementResult: { status: 'settled', settled_amount_micro_credits: charge.toString() },
    effectiveAt: end.completedAt,
  };
}

/** Amounts inside stored snapshots are decimal strings of micro-credits; the edge turns them into numbers. */
function billSnapshot({ end }: SettlementRequest): JsonObject {
  return {
    summary: end.bill.summary,
    list_amount_micro_credits: end.bill.listAmountMicroCredits,
    charge_lines: end.bill.chargeLines.map((line) => ({
      component_key: line.componentKey,
      description: line.description,
      quantity: line.quantity,
      unit_label: line.unitLabel,
      amount_micro_credits: line.amountMicroCredits,
    })),
  };
}

function definedOnly(record: Record<string, string | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(record).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
