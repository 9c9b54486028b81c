import type { Queryable } from '@capability-router/event-store';
import type { LastEvent } from './domain/execution-end.js';

/** Undefined for an execution that has no event. */
export async function findLastEvent(db: Queryable, executionId: string): Promise<LastEvent | undefined> {
  const { rows } = await db.query<{ type: LastEvent['type']; event_id: string; data: LastEvent['data'] }>(
    `
SELECT type, event_id, data FROM events WHERE stream_id = $1 ORDER BY sequence DESC LIMIT 1`,
    [executionId],
  );
  const row = rows[0];
  return row === undefined ? undefined : { type: row.type, eventId: row.event_id, data: row.data };
}

/** Does this owner still run it? False once anybody has ended it. */
export async function isRunning(db: Queryable, executionId: string, ownerId: string): Promise<boolean> {
  const { rows } = await db.query<{ running: boolean }>(
    `
SELECT EXISTS (SELECT 1 FROM running_executions WHERE execution_id = $1 AND owner_id = $2) AS running`,
    [executionId, ownerId],
  );
  return rows[0]?.running ?? false;
}
