import type { UsageSettled } from '@capability-router/contracts';
import { isSearchId, toIso, usageEventIdOf } from '@capability-router/kernel';
import { isBilledSearch } from '../../holds/domain/billable-id.js';
import { coveredBy, type SettlementDecision } from './decide-settlement.js';
import type { SettlementRequest } from './request-settlement.js';

/** The fact by which finance and the audit hear of a settlement. */
export function settlementFact(
  request: SettlementRequest,
  decision: SettlementDecision,
  ledgerEntryId: string | null,
  settlementSeq: bigint,
  nowMs: number,
): UsageSettled {
  const { end } = request;
  return {
    sourceRefType: isBilledSearch(request.billableId) ? 'search' : 'execution',
    sourceRefId: request.billableId,
    ...(isBilledSearch(request.billableId) ? {} : { executionId: request.billableId }),
    usageEventId: usageEventIdOf(request.billableId),
    accountId: request.accountId,
    ...(end.accountKind === undefined ? {} : { accountKind: end.accountKind }),
    ...(end.projectId === undefined ? {} : { projectId: end.projectId }),
    ...(end.apiKeyId === undefined ? {} : { apiKeyId: end.apiKeyId }),
    ...(end.oauthClientId === undefined ? {} : { oauthClientId: end.oauthClientId }),
    ...(end.sessionId === undefined ? {} : { sessionId: end.sessionId }),
    settlementSeq: Number(settlementSeq),
    eventType: end.eventType,
    ...(end.toolId === undefined ? {} : { toolId: end.toolId }),
    ...(end.providerId === undefined ? {} : { providerId: end.providerId }),
    ...(end.searchId !== undefined && isSearchId(end.searchId) ? { searchId: end.searchId } : {}),
    success: end.success,
    ...(end.outcome === undefined ? {} : { outcome: end.outcome }),
    reasonCode: end.reasonCode,
    chargeOutcome: end.success ? (decision.charge > 0n ? 'charged' : 'included') : 'failed_not_charged',
    status: decision.status,
    ...(end.audited ? {} : { audited: false as const }),
    requestedMicroCredits: request.requested.toString(),
    settledMicroCredits: decision.charge.toString(),
    ...(coveredBy(decision) === 0n ? {} : { coveredMicroCredits: coveredBy(decision).toString() }),
    ...(ledgerEntryId === null ? {} : { ledgerEntryId }),
    effectiveAt: end.completedAt,
    settledAt: toIso(nowMs),
  };
}
