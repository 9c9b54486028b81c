import {
  creditsFromMicro,
  creditsToNumber,
  usageEventIdOf,
  type ExecutionId,
  type JsonObject,
} from '@capability-router/kernel';
import { uncollected } from './domain/uncollected.js';
import type { ActionRow, ExceptionRow } from './exceptions.sql.js';

const credits = (micro: bigint | string): number => creditsToNumber(creditsFromMicro(BigInt(micro)));

const refTypes: Readonly<Record<string, string>> = { exec: 'execution', srch: 'search', imp: 'import' };

/** An exception as administrators are shown it, with what the books say of it at this moment. */
export function exceptionView(row: ExceptionRow): JsonObject {
  const refType = refTypes[row.execution_id.slice(0, row.execution_id.indexOf('_'))] ?? 'execution';
  const charged = BigInt(row.settled_micro ?? 0);
  return {
    exception_id: row.exception_id,
    kind: row.kind,
    state: row.is_open ? 'open' : (row.last_action ?? 'open'),
    account_id: row.account_id,
    source_ref_type: refType,
    source_ref_id: row.execution_id,
    ...(refType === 'execution' ? { execution_id: row.execution_id } : {}),
    usage_event_id: usageEventIdOf(row.execution_id as ExecutionId),
    requested_credits: credits(row.requested_micro),
    charged_credits: credits(charged),
    refunded_credits: credits(row.refunded_micro),
    uncollected_credits: credits(uncollected(row)),
    ...(row.ledger_entry_id === null ? {} : { ledger_entry_id: row.ledger_entry_id }),
    actions: row.is_open ? possibleActions(row) : [],
    raised_at: row.raised_at.toISOString(),
    ...(row.is_open || row.closed_at === null ? {} : { closed_at: row.closed_at.toISOString() }),
  };
}

/** The actions that are possible now; a moment later it may be too late for them. */
function possibleActions(row: ExceptionRow): string[] {
  const refundable = BigInt(row.settled_micro ?? 0) > BigInt(row.refunded_micro);
  return ['confirm', ...(refundable ? ['refund'] : []), ...(uncollected(row) > 0n ? ['write-off'] : [])];
}

export function actionView(row: ActionRow): JsonObject {
  const refund = row.answer?.['refund'] as JsonObject | undefined;
  return {
    action: row.action,
    acted_by: row.acted_by,
    acted_at: row.acted_at.toISOString(),
    ...(row.amount_micro === null ? {} : { amount_credits: credits(row.amount_micro) }),
    ...(refund === undefined
      ? {}
      : { amount_credits: refund['amount_credits'] ?? null, ledger_entry_id: refund['ledger_entry_id'] ?? null }),
    ...(row.reference === null ? {} : { reference: row.reference }),
    ...(row.note === null ? {} : { note: row.note }),
  };
}
