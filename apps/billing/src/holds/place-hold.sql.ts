/**
 * The guard and the hold row in one statement: no interactive transaction on the hot path, and no window in which the
 * balance was reserved without a hold. A concurrent twin of the same hold fails on the primary key, which rolls
 * its reservation back.
 *
 * $1 execution or search id · $2 account id · $3 amount · $4 inquire after · $5 now
 */
export const placeHoldSql = `
WITH existing AS MATERIALIZED (
  SELECT account_id, amount_micro, state FROM holds WHERE execution_id = $1
), reserved AS (
  UPDATE account_balances SET held_micro = held_micro + $3::bigint
   WHERE account_id = $2 AND balance_micro - held_micro >= $3::bigint AND NOT EXISTS (SELECT 1 FROM existing)
  RETURNING balance_micro - held_micro AS available
), placed AS (
  INSERT INTO holds (execution_id, account_id, amount_micro, inquire_after, placed_at)
  SELECT $1, $2, $3::bigint, $4, $5 FROM reserved
)
SELECT (SELECT available FROM reserved) AS available_after,
       existing.account_id AS existing_account, existing.amount_micro AS existing_amount, existing.state AS existing_state,
       (SELECT balance_micro - held_micro FROM account_balances WHERE account_id = $2) AS available_before
  FROM (SELECT 1) AS one LEFT JOIN existing ON true`;
