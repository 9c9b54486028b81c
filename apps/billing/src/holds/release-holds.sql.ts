import type pg from 'pg';

/**
 * Releases holds of executions that ended without a charge. Rows that ended meanwhile are left alone; the reservation
 * goes in the same statement as the state, so a hold ends once.
 */
const releaseHoldsSql = `
WITH doomed AS (
  SELECT execution_id FROM holds WHERE execution_id = ANY($1) AND state = 'open'
   ORDER BY account_id, execution_id FOR UPDATE SKIP LOCKED
), released AS (
  UPDATE holds SET state = 'released', ended_at = $2 FROM doomed WHERE holds.execution_id = doomed.execution_id
  RETURNING holds.account_id, holds.amount_micro, holds.budget_ids, holds.allowance_day
), per_account AS (
  SELECT account_id, sum(amount_micro)::bigint AS amount FROM released WHERE allowance_day IS NULL GROUP BY account_id
), per_budget AS (
  SELECT budget_id, sum(amount_micro)::bigint AS amount FROM released, unnest(budget_ids) AS budget_id GROUP BY budget_id
), per_allowance AS (
  SELECT account_id, allowance_day AS day, sum(amount_micro)::bigint AS amount FROM released
   WHERE allowance_day IS NOT NULL GROUP BY account_id, allowance_day
), locked_allowances AS MATERIALIZED (
  -- Allowances, budgets, balances, each by its key: the order in which holds and settlement take the same rows.
  SELECT a.account_id, a.day, per_allowance.amount FROM daily_allowances a JOIN per_allowance USING (account_id, day)
   ORDER BY a.account_id, a.day FOR UPDATE OF a
), allowances_given_back AS (
  UPDATE daily_allowances SET reserved_micro = reserved_micro - locked_allowances.amount FROM locked_allowances
   WHERE daily_allowances.account_id = locked_allowances.account_id AND daily_allowances.day = locked_allowances.day
), locked_budgets AS MATERIALIZED (
  SELECT b.budget_id, per_budget.amount FROM budgets b JOIN per_budget USING (budget_id)
   WHERE (SELECT count(*) FROM locked_allowances) >= 0
   ORDER BY b.budget_id FOR UPDATE OF b
), budgets_given_back AS (
  UPDATE budgets SET reserved_micro = reserved_micro - locked_budgets.amount
    FROM locked_budgets WHERE budgets.budget_id = locked_budgets.budget_id
), locked AS (
  SELECT b.account_id, per_account.amount FROM account_balances b JOIN per_account USING (account_id)
   WHERE (SELECT count(*) FROM locked_budgets) >= 0
   ORDER BY b.account_id FOR UPDATE OF b
), balances AS (
  UPDATE account_balances SET held_micro = held_micro - locked.amount
    FROM locked WHERE account_balances.account_id = locked.account_id
)
SELECT count(*)::int AS released FROM released`;

/** @returns how many holds were released */
export async function releaseHolds(pool: pg.Pool, executionIds: readonly string[], now: Date): Promise<number> {
  const { rows } = await pool.query<{ released: number }>(releaseHoldsSql, [executionIds, now]);
  return rows[0]?.released ?? 0;
}
