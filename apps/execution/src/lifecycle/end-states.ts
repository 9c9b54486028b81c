import { isExecutionId, type Clock, type ExecutionId } from '@capability-router/kernel';
import type { EndStatesRequest, EndStatesResponse } from '@capability-router/contracts';
import type pg from 'pg';
import { undispatchedEnd } from '../call/journal/ends.js';
import type { ExecutionJournal } from '../call/journal/execution-journal.js';

/** Executions in one question. */
export const MAX_END_STATES = 500;

type EndState = EndStatesResponse['endStates'][string];

const stateByType: Readonly<Record<string, EndState>> = {
  ExecutionStarted: 'running',
  ExecutionCompleted: 'completed',
  ExecutionRefused: 'refused',
  ExecutionInterrupted: 'interrupted',
};

const lastTypesSql = `
SELECT DISTINCT ON (stream_id) stream_id, type FROM events
 WHERE stream_id = ANY ($1::text[]) ORDER BY stream_id, sequence DESC`;

/**
 * How each execution ended. One that has no event is ended by the question, so that it can never start afterwards:
 * whoever asks may release what was held for it.
 */
export async function endStatesOf(
  pool: pg.Pool,
  journal: ExecutionJournal,
  clock: Clock,
  request: EndStatesRequest,
): Promise<EndStatesResponse> {
  const asked = request.executions.filter(({ executionId }) => isExecutionId(executionId));
  const states = await lastStates(
    pool,
    asked.map(({ executionId }) => executionId),
  );
  for (const { executionId, accountId } of asked) {
    if (states.has(executionId)) continue;
    const nowMs = clock.nowMs();
    const facts = {
      executionId: executionId as ExecutionId,
      accountId,
      eventType: 'tool_execute',
      credentialType: 'api_key',
      holdMicroCredits: '0',
    } as const;
    // It never ran, and whoever asked for it was told to send it again.
    const ended = await journal.endFirst(undispatchedEnd(facts, nowMs, nowMs));
    // Somebody wrote the first event in between: then that event answers.
    const state = ended ? 'interrupted' : (await lastStates(pool, [executionId])).get(executionId);
    if (state !== undefined) states.set(executionId, state);
  }
  return { endStates: Object.fromEntries(states) };
}

async function lastStates(pool: pg.Pool, executionIds: readonly string[]): Promise<Map<string, EndState>> {
  const { rows } = await pool.query<{ stream_id: string; type: string }>(lastTypesSql, [executionIds]);
  return new Map(rows.map((row) => [row.stream_id, stateByType[row.type] ?? 'running']));
}
