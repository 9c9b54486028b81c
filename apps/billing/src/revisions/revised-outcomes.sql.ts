import type { EventEnvelope, ExecutionOutcomeRevised } from '@capability-router/contracts';
import { usageEventIdOf, type ExecutionId } from '@capability-router/kernel';
import type pg from 'pg';

/** Reports that calls which had succeeded were failures; of several of one execution, the first. */
export function revisionsOf(events: readonly EventEnvelope[]): ExecutionOutcomeRevised[] {
  const first = new Map<string, ExecutionOutcomeRevised>();
  for (const { type, data } of events) {
    if (type !== 'ExecutionOutcomeRevised') continue;
    const revision = data as unknown as ExecutionOutcomeRevised;
    if (!first.has(revision.executionId)) first.set(revision.executionId, revision);
  }
  return [...first.values()];
}

const raiseSql = `
INSERT INTO settlement_exceptions (execution_id, account_id, kind, requested_micro, raised_at)
SELECT source_ref_id, account_id, 'failed_charged_review', requested_micro, $2 FROM settlements
 WHERE source_ref_id = ANY($1) AND settled_micro > 0
 ORDER BY source_ref_id ON CONFLICT (execution_id, kind) DO NOTHING`;

/**
 * Queues those that were captured, in the transaction that settled them or a later one. The report comes after the end in
 * the order of the account's key, so by now the money knows whether there was a charge; what was not charged needs
 * nobody's decision.
 */
export async function queueRevised(
  tx: pg.PoolClient,
  revisions: readonly ExecutionOutcomeRevised[],
  now: string,
): Promise<void> {
  if (revisions.length === 0) return;
  await tx.query(raiseSql, [revisions.map(({ executionId }) => executionId), now]);
}

const recordSql = `
INSERT INTO outcome_revisions (usage_event_id, execution_id, account_id, outcome, reason_code, revised_by, reference, revised_at)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
ON CONFLICT (usage_event_id) DO NOTHING`;

/**
 * The value that a revision gives a column of the audit row; `v` is its record. The texts of before are no longer
 * true, and none take their place. Everything else, the amounts above all, stays as the call ended.
 */
export const revisedColumns: Readonly<Record<string, string>> = {
  success: 'false',
  billable_success: 'false',
  result_valid: 'false',
  outcome: 'v.outcome',
  reason_code: 'v.reason_code',
  user_message: 'NULL',
};

/** The value of a column of a row that a record `v`, joined to the left, may revise. */
export const unlessRevised = (column: string, value: string): string =>
  revisedColumns[column] === undefined
    ? value
    : `CASE WHEN v.usage_event_id IS NULL THEN ${value} ELSE ${revisedColumns[column]} END`;

const assignments = Object.entries(revisedColumns).map(([column, value]) => `${column} = ${value}`);
const reviseSql = `
UPDATE usage_events u SET ${assignments.join(', ')}, revised_at = v.revised_at
  FROM outcome_revisions v
 WHERE v.usage_event_id = u.id AND u.id = ANY($1) AND u.account_id = v.account_id AND u.recorded AND u.revised_at IS NULL`;

/** Brings revisions into the audit, in the caller's transaction; a row that comes later finds the record of its own. */
export async function reviseUsage(tx: pg.PoolClient, events: readonly EventEnvelope[]): Promise<void> {
  const revisions = revisionsOf(events);
  if (revisions.length === 0) return;
  const ids = revisions.map(({ executionId }) => usageEventIdOf(executionId as ExecutionId));
  await tx.query(recordSql, [
    ids,
    revisions.map(({ executionId }) => executionId),
    revisions.map(({ accountId }) => accountId),
    revisions.map(({ outcome }) => outcome),
    revisions.map(({ reasonCode }) => reasonCode),
    revisions.map(({ revisedBy }) => revisedBy),
    revisions.map(({ reference }) => reference ?? null),
    revisions.map(({ revisedAt }) => revisedAt),
  ]);
  await tx.query(reviseSql, [ids]);
}
