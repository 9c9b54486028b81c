/**
 * As `placeHoldSql`, for a hold that also has to fit into budgets: all of them and the balance, or nothing. Still one
 * statement. Locks are taken as everywhere: budgets in the order of their ids, then the account. A budget that has no
 * row yet is not admitted, and is missing from `found_budgets`.
 *
 * $1 execution or search id · $2 account id · $3 amount · $4 inquire after · $5 now · $6 budget ids ·
 * $7 their limits
 */
export const placeHoldWithBudgetsSql = `
WITH existing AS MATERIALIZED (
  SELECT account_id, amount_micro, state FROM holds WHERE execution_id = $1
), wanted AS (
  SELECT * FROM unnest($6::text[], $7::bigint[]) AS w (budget_id, limit_micro)
), locked AS MATERIALIZED (
  SELECT b.budget_id, b.reserved_micro + b.spent_micro AS used_micro FROM budgets b
   WHERE b.budget_id = ANY($6) AND NOT EXISTS (SELECT 1 FROM existing)
   ORDER BY b.budget_id FOR UPDATE
), admitted AS (
  SELECT count(*) = cardinality($6::text[]) AND bool_and(used_micro + $3::bigint <= limit_micro) AS all_fit
    FROM locked JOIN wanted USING (budget_id)
), reserved AS (
  UPDATE account_balances SET held_micro = held_micro + $3::bigint
   WHERE account_id = $2 AND balance_micro - held_micro >= $3::bigint AND (SELECT all_fit FROM admitted)
  RETURNING balance_micro - held_micro AS available
), budgeted AS (
  UPDATE budgets SET reserved_micro = budgets.reserved_micro + $3::bigint, limit_micro = wanted.limit_micro,
         used_at = GREATEST(budgets.used_at, $5)
    FROM wanted, reserved WHERE budgets.budget_id = wanted.budget_id
), placed AS (
  INSERT INTO holds (execution_id, account_id, amount_micro, inquire_after, placed_at, budget_ids)
  SELECT $1, $2, $3::bigint, $4, $5, $6 FROM reserved
)
SELECT (SELECT available FROM reserved) AS available_after,
       existing.account_id AS existing_account, existing.amount_micro AS existing_amount, existing.state AS existing_state,
       (SELECT balance_micro - held_micro FROM account_balances WHERE account_id = $2) AS available_before,
       (SELECT json_agg(json_build_object('budgetId', budget_id, 'usedMicro', used_micro::text)) FROM locked) AS found_budgets
  FROM (SELECT 1) AS one LEFT JOIN existing ON true`;

export interface FoundBudget {
  readonly budgetId: string;
  /** The amount that open holds and charges took of it. */
  readonly usedMicro: string;
}
