import type { EndStatesResponse } from '@capability-router/contracts';
import type pg from 'pg';

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

/** By execution; those without an event are left out. */
export async function lastStates(pool: pg.Pool, executionIds: readonly string[]): Promise<Map<string, EndState>> {
  const { rows } = await pool.query<{ stream_id: string; type: string }>(lastTypesSql, [executionIds]);
  return new Map(rows.map((row) => [row.stream_id, stateByType[row.type] ?? 'running']));
}
