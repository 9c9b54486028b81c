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
  RETURNING holds.account_id, holds.amount_micro, holds.budget_ids
), per_account AS (
  SELECT account_id, sum(amount_micro)::bigint AS amount, count(*) AS holds FROM released GROUP BY account_id
), per_budget AS (
  SELECT budget_id, sum(amount_micro)::bigint AS amount FROM released, unnest(budget_ids) AS budget_id GROUP BY budget_id
), locked_budgets AS MATERIALIZED (
  -- Budgets before balances and each by its id: the order in which holds and settlement take the same rows.
  SELECT b.budget_id, per_budget.amount FROM budgets b JOIN per_budget USING (budget_id)
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
SELECT COALESCE(sum(holds), 0)::int AS released FROM per_account`;

/** @returns how many holds were released */
export async function releaseHolds(pool: pg.Pool, executionIds: readonly string[], now: Date): Promise<number> {
  const { rows } = await pool.query<{ released: number }>(releaseHoldsSql, [executionIds, now]);
  return rows[0]?.released ?? 0;
}
