import type { Bill, ModelCallImported, UsageSettled } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import type { Movement } from '../../ledger/domain/entry.js';
import type { PostedBy } from '../../ledger/domain/entry-types.js';
import type { ImportRef } from '../../settlement/domain/import-ref.js';
import { IMPORT_SOURCE_SYSTEM } from '../../usage-audit/domain/model-call-row.js';
import type { ModelCall } from './model-call.js';

export const statusOf = ({ amount }: ModelCall): 'settled' | 'not_applicable' =>
  amount > 0n ? 'settled' : 'not_applicable';

/** The fact by which finance and the audit hear of the settlement of a call. `settledAt`: ISO 8601. */
export function importSettlement(
  call: ModelCall,
  given: {
    readonly importRef: ImportRef;
    readonly usageEventId: string;
    readonly ledgerEntryId: string | undefined;
    readonly settlementSeq: bigint;
  },
  settledAt: string,
): UsageSettled {
  const { importRef, usageEventId, ledgerEntryId, settlementSeq } = given;
  return {
    sourceRefType: 'import',
    sourceRefId: importRef,
    usageEventId,
    accountId: call.accountId,
    ...(call.apiKeyId === undefined ? {} : { apiKeyId: call.apiKeyId }),
    ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
    settlementSeq: Number(settlementSeq),
    eventType: 'model_call',
    success: call.success,
    reasonCode: call.reasonCode,
    status: statusOf(call),
    requestedMicroCredits: call.amount.toString(),
    settledMicroCredits: call.amount.toString(),
    ...(ledgerEntryId === undefined ? {} : { ledgerEntryId }),
    effectiveAt: toIso(call.occurredMs),
    settledAt,
  };
}

/** The fact by which the audit hears of a call. */
export function importFact(call: ModelCall, importRef: ImportRef, usageEventId: string): ModelCallImported {
  return {
    importRef,
    usageEventId,
    accountId: call.accountId,
    model: call.model,
    success: call.success,
    reasonCode: call.reasonCode,
    requestedMicroCredits: call.amount.toString(),
    bill: billOf(call),
    ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
    ...(call.apiKeyId === undefined ? {} : { apiKeyId: call.apiKeyId }),
    ...(call.durationMs === undefined ? {} : { durationMs: call.durationMs }),
    completedAt: toIso(call.occurredMs),
  };
}

function billOf({ amount, inputTokens, outputTokens }: ModelCall): Bill {
  const tokens = inputTokens + outputTokens > 0 ? `: ${inputTokens} tokens in, ${outputTokens} out` : '';
  const [summary, description] = [`1 model call${tokens}`, `Model call${tokens}`];
  const amountMicroCredits = amount.toString();
  const line = { componentKey: 'model_call', description, quantity: 1, unitLabel: 'call', amountMicroCredits };
  return { summary, listAmountMicroCredits: amountMicroCredits, chargeLines: amount > 0n ? [line] : [] };
}

/** The ledger's view of a charged call. The model's name stays out: what is in the ledger is there for ever. */
export function importMovement(call: ModelCall, importRef: ImportRef): Movement<PostedBy<'charge'>> {
  return {
    entryType: 'consume_model_call',
    sourceSystem: IMPORT_SOURCE_SYSTEM,
    sourceRefType: 'import',
    sourceRefId: importRef,
    executionId: null,
    description: 'Model call',
    metadata: { import_id: call.importId, input_tokens: call.inputTokens, output_tokens: call.outputTokens },
    preSettlementBill: { summary: billOf(call).summary, list_amount_micro_credits: call.amount.toString() },
    settlementResult: { status: 'settled', settled_amount_micro_credits: call.amount.toString() },
    effectiveAt: toIso(call.occurredMs),
  };
}
