import type pg from 'pg';

/** Milliseconds after its last hold at which a session is forgotten; its id then counts from nothing. */
export const SESSION_IDLE_MS = 86_400_000;
/** Milliseconds for which the counter of a period that is over is kept. */
export const PERIOD_KEPT_MS = 7 * 86_400_000;
/** Rows of one statement. */
const PURGE_BATCH = 1_000;
/** Statements of one round. */
const MAX_BATCHES = 100;

/** A row under which a hold is still open stays: the hold settles in it. */
const purgeBudgetsSql = `
DELETE FROM budgets WHERE budget_id IN (
  SELECT budget_id FROM budgets
   WHERE reserved_micro = 0 AND (session_hash IS NOT NULL AND used_at <= $1 OR period_ends_at <= $2)
   LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** @returns how many counters were removed */
export async function purgeBudgets(pool: pg.Pool, nowMs: number): Promise<number> {
  const values = [new Date(nowMs - SESSION_IDLE_MS), new Date(nowMs - PERIOD_KEPT_MS), PURGE_BATCH];
  let purged = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { rowCount } = await pool.query(purgeBudgetsSql, values);
    purged += rowCount ?? 0;
    if ((rowCount ?? 0) < PURGE_BATCH) break;
  }
  return purged;
}
