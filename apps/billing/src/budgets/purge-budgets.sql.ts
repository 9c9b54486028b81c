import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';

/**
 * Milliseconds after its last hold at which a session is forgotten, whose id then counts from nothing, and a delegation
 * token, which ends within minutes and so cannot come back.
 */
export const SESSION_IDLE_MS = 86_400_000;
/** Milliseconds for which the counter of a period that is over is kept. */
export const PERIOD_KEPT_MS = 7 * 86_400_000;
const BATCHES = { rows: 1_000, statements: 100 };

/** A row under which a hold is still open stays: the hold settles in it. */
const purgeBudgetsSql = `
DELETE FROM budgets WHERE budget_id IN (
  SELECT budget_id FROM budgets
   WHERE reserved_micro = 0 AND ((session_hash IS NOT NULL OR scope = 'delegation') AND used_at <= $1 OR period_ends_at <= $2)
   LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** @returns how many counters were removed */
export function purgeBudgets(pool: pg.Pool, nowMs: number): Promise<number> {
  const times = [new Date(nowMs - SESSION_IDLE_MS), new Date(nowMs - PERIOD_KEPT_MS)];
  return repeatWhileFull(
    async (limit) => (await pool.query(purgeBudgetsSql, [...times, limit])).rowCount ?? 0,
    BATCHES,
  );
}
