import type { AccountId, ExecutionId, JsonObject } from '@capability-router/kernel';
import type pg from 'pg';
import { mayStillStartSql } from '../call/journal/start-executions.sql.js';
import type { ExecutionEnd } from '../call/journal/domain/execution-end.js';
import type { FoundAnswer } from '../idempotency/kept-answer.js';

/** An execution as its record has it. */
export type FoundExecution =
  | { readonly state: 'pending' }
  /** `answer`: of a call with an idempotency key, for as long as it is kept. */
  | { readonly state: 'ended'; readonly end: ExecutionEnd; readonly answer: FoundAnswer | undefined }
  /** Nothing is on record for this account; `mayStart`: a start could still be written. */
  | { readonly state: 'unknown'; readonly mayStart: boolean };

/** $1 execution id · $2 account id */
const findSql = `
SELECT ${mayStillStartSql('$1::text')} AS may_start, last.type, last.data, a.body, a.kept_as, a.created_at AS kept_at
  FROM (SELECT 1) AS one
  LEFT JOIN LATERAL (
    SELECT stream_id, type, data FROM events
     WHERE stream_id = $1 AND partition_key = $2 ORDER BY sequence DESC LIMIT 1
  ) last ON true
  LEFT JOIN idempotent_answers a ON a.execution_id = last.stream_id`;

interface Row {
  readonly may_start: boolean;
  readonly type: ExecutionEnd['type'] | 'ExecutionStarted' | null;
  readonly data: ExecutionEnd['data'] | null;
  readonly body: JsonObject | null;
  readonly kept_as: ExecutionId | null;
  readonly kept_at: Date | null;
}

/** The record of an execution of this account. */
export async function findExecution(
  pool: pg.Pool,
  accountId: AccountId,
  executionId: ExecutionId,
): Promise<FoundExecution> {
  const { rows } = await pool.query<Row>({
    name: 'find_execution',
    text: findSql,
    values: [executionId, accountId],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the look-up of an execution has no row');
  if (row.type === null) return { state: 'unknown', mayStart: row.may_start };
  if (row.type === 'ExecutionStarted') return { state: 'pending' };
  const end = { type: row.type, data: row.data } as ExecutionEnd;
  const kept = { keptAs: row.kept_as ?? undefined, keptAtMs: row.kept_at?.getTime() ?? 0 };
  return {
    state: 'ended',
    end,
    answer: row.body === null ? undefined : { accountId, executionId, body: row.body, ...kept },
  };
}
