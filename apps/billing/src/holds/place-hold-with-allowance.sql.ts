/**
 * As the statements without it, for deployments with a daily free allowance: it covers the whole hold, and then neither
 * balance nor budgets are touched, or nothing of it. Still one statement. Rows are locked as everywhere: the allowance,
 * then budgets in the order of their ids, then the account. An allowance that this statement's snapshot shows as too
 * narrow is not locked.
 *
 * $1 execution or search id · $2 account id · $3 amount · $4 inquire after · $5 now · $6 day ·
 * $7 allowance of a day · with budgets: $8 budget ids · $9 their limits
 */
const coverSql = `
WITH existing AS MATERIALIZED (
  SELECT account_id, amount_micro, state, allowance_day FROM holds WHERE execution_id = $1
), covered AS (
  INSERT INTO daily_allowances AS a (account_id, day, limit_micro, reserved_micro)
  SELECT $2, $6::date, $7::bigint, $3::bigint
   WHERE $3::bigint <= $7::bigint AND NOT EXISTS (SELECT 1 FROM existing)
     AND NOT EXISTS (SELECT 1 FROM daily_allowances f
                      WHERE f.account_id = $2 AND f.day = $6::date AND f.reserved_micro + f.used_micro + $3::bigint > $7::bigint)
  ON CONFLICT (account_id, day) DO UPDATE
     SET reserved_micro = a.reserved_micro + EXCLUDED.reserved_micro, limit_micro = EXCLUDED.limit_micro
   WHERE a.reserved_micro + a.used_micro + EXCLUDED.reserved_micro <= EXCLUDED.limit_micro
  RETURNING a.day
)`;

const answerSql = `
SELECT (SELECT available FROM reserved) AS available_after, (SELECT true FROM covered) AS covered,
       existing.account_id AS existing_account, existing.amount_micro AS existing_amount, existing.state AS existing_state,
       existing.allowance_day IS NOT NULL AS existing_covered,
       (SELECT balance_micro - held_micro FROM account_balances WHERE account_id = $2) AS available_before`;

export const placeHoldWithAllowanceSql = `${coverSql}, reserved AS (
  UPDATE account_balances SET held_micro = held_micro + $3::bigint
   WHERE account_id = $2 AND balance_micro - held_micro >= $3::bigint
     AND NOT EXISTS (SELECT 1 FROM existing) AND NOT EXISTS (SELECT 1 FROM covered)
  RETURNING balance_micro - held_micro AS available
), placed AS (
  INSERT INTO holds (execution_id, account_id, amount_micro, inquire_after, placed_at, allowance_day)
  SELECT $1, $2, $3::bigint, $4::timestamptz, $5::timestamptz, NULL::date FROM reserved
   UNION ALL SELECT $1, $2, $3::bigint, $4::timestamptz, $5::timestamptz, day FROM covered
)
${answerSql}
  FROM (SELECT 1) AS one LEFT JOIN existing ON true`;

/** As `placeHoldWithBudgetsSql`, after the allowance. */
export const placeHoldWithAllowanceAndBudgetsSql = `${coverSql}, wanted AS (
  SELECT * FROM unnest($8::text[], $9::bigint[]) AS w (budget_id, limit_micro)
), locked AS MATERIALIZED (
  SELECT b.budget_id, b.reserved_micro + b.spent_micro AS used_micro FROM budgets b
   WHERE b.budget_id = ANY($8) AND NOT EXISTS (SELECT 1 FROM existing) AND NOT EXISTS (SELECT 1 FROM covered)
   ORDER BY b.budget_id FOR UPDATE
), admitted AS (
  SELECT count(*) = cardinality($8::text[]) AND bool_and(used_micro + $3::bigint <= limit_micro) AS all_fit
    FROM locked JOIN wanted USING (budget_id)
), reserved AS (
  UPDATE account_balances SET held_micro = held_micro + $3::bigint
   WHERE account_id = $2 AND balance_micro - held_micro >= $3::bigint AND (SELECT all_fit FROM admitted)
  RETURNING balance_micro - held_micro AS available
), budgeted AS (
  UPDATE budgets SET reserved_micro = budgets.reserved_micro + $3::bigint, limit_micro = wanted.limit_micro,
         used_at = GREATEST(budgets.used_at, $5::timestamptz)
    FROM wanted, reserved WHERE budgets.budget_id = wanted.budget_id
), placed AS (
  INSERT INTO holds (execution_id, account_id, amount_micro, inquire_after, placed_at, budget_ids, allowance_day)
  SELECT $1, $2, $3::bigint, $4::timestamptz, $5::timestamptz, $8, NULL::date FROM reserved
   UNION ALL SELECT $1, $2, $3::bigint, $4::timestamptz, $5::timestamptz, NULL::text[], day FROM covered
)
${answerSql},
       (SELECT json_agg(json_build_object('budgetId', budget_id, 'usedMicro', used_micro::text)) FROM locked) AS found_budgets
  FROM (SELECT 1) AS one LEFT JOIN existing ON true`;
