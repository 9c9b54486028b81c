import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';

/**
 * Milliseconds for which it is kept in mind that a hold may not be placed. A request for one is refused a minute after its
 * token was signed, and what is taken by then ends with its statement, in seconds. Only a replica that was held in between
 * for longer could still place one; the sweeper then asks its owner, who says that it has ended, and releases it.
 */
export const FORESTALLED_KEPT_MS = 86_400_000;
const BATCHES = { rows: 1_000, statements: 100 };

/** $1 forestalled until · $2 limit */
const purgeForestalledHoldsSql = `
WITH due AS MATERIALIZED (
  SELECT execution_id FROM forestalled_holds WHERE forestalled_at <= $1
   ORDER BY forestalled_at LIMIT $2 FOR UPDATE SKIP LOCKED
), removed AS (
  DELETE FROM holds USING due WHERE holds.execution_id = due.execution_id
)
DELETE FROM forestalled_holds USING due WHERE forestalled_holds.execution_id = due.execution_id`;

/** @returns how many were removed */
export function purgeForestalledHolds(pool: pg.Pool, nowMs: number): Promise<number> {
  const until = new Date(nowMs - FORESTALLED_KEPT_MS);
  return repeatWhileFull(
    async (limit) => (await pool.query(purgeForestalledHoldsSql, [until, limit])).rowCount ?? 0,
    BATCHES,
  );
}
