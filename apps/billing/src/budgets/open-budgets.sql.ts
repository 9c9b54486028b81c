import type pg from 'pg';
import type { Budget } from './domain/budgets-of-credential.js';

/**
 * Sessions of one key that have a counter of their own. The check is not locked, so that as many more can come to be as
 * connections open sessions of that key at the same moment.
 */
export const MAX_SESSIONS_OF_KEY = 1_000;

const openBudgetsSql = `
INSERT INTO budgets (budget_id, account_id, api_key_id, scope, session_hash, limit_micro, period_ends_at, opened_at, used_at)
SELECT v.budget_id, $1, v.api_key_id, v.scope, v.session_hash, v.limit_micro, v.period_ends_at, $2, $2
  FROM unnest($3::text[], $4::uuid[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[])
    AS v (budget_id, api_key_id, scope, session_hash, limit_micro, period_ends_at)
 WHERE v.session_hash IS NULL
    OR (SELECT count(*) FROM budgets b WHERE b.api_key_id = v.api_key_id AND b.session_hash IS NOT NULL) < $9
ON CONFLICT (budget_id) DO NOTHING`;

/** Rows that count from nothing, where they are not there yet; none for a session beyond `MAX_SESSIONS_OF_KEY`. */
export async function openBudgets(
  pool: pg.Pool,
  accountId: string,
  budgets: readonly Budget[],
  now: Date,
): Promise<void> {
  await pool.query(openBudgetsSql, [
    accountId,
    now,
    budgets.map((budget) => budget.budgetId),
    budgets.map((budget) => budget.apiKeyId ?? null),
    budgets.map((budget) => budget.scope),
    budgets.map((budget) => budget.session?.hash ?? null),
    budgets.map((budget) => budget.limit.toString()),
    budgets.map((budget) => budget.periodEndsAt),
    MAX_SESSIONS_OF_KEY,
  ]);
}
