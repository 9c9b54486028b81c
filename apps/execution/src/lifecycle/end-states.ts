import { isExecutionId, type Clock, type ExecutionId } from '@capability-router/kernel';
import type { EndStatesRequest, EndStatesResponse } from '@capability-router/contracts';
import type pg from 'pg';
import { undispatchedEnd } from '../call/journal/domain/ends.js';
import type { ExecutionJournal } from '../call/journal/execution-journal.js';
import { lastStates } from './last-states.sql.js';

/** Executions in one question. */
export const MAX_END_STATES = 500;

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
