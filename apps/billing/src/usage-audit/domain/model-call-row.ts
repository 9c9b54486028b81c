import type { EventEnvelope, ModelCallImported } from '@capability-router/contracts';
import type { UsageRow } from './usage-columns.js';

/**
 * The source of calls that an administrator brought in, whichever service wrote them down; the ledger entries of their
 * charges say the same.
 */
export const IMPORT_SOURCE_SYSTEM = 'admin';

/** The audit's columns of an imported model call. */
export function modelCallRow(event: Pick<EventEnvelope, 'data'>): UsageRow {
  const fact = event.data as unknown as ModelCallImported;
  return {
    id: fact.usageEventId,
    account_id: fact.accountId,
    effective_at: fact.completedAt,
    event_type: 'model_call',
    source_system: IMPORT_SOURCE_SYSTEM,
    source_ref_type: 'import',
    source_ref_id: fact.importRef,
    session_id: fact.sessionId,
    api_key_id: fact.apiKeyId,
    credential_type: fact.apiKeyId === undefined ? undefined : 'api_key',
    model: fact.model,
    success: fact.success,
    billable_success: fact.success,
    reason_code: fact.reasonCode,
    duration_ms: fact.durationMs,
    bill: fact.bill,
    requested_micro: fact.requestedMicroCredits,
  };
}
