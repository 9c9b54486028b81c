import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `limit_micro` is the limit under which the last hold was admitted, so that the constraint holds whatever the limit of
 * the key has become since.
 */
const budgetsSql = `
CREATE TABLE budgets (
  budget_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  api_key_id UUID NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('key', 'session')),
  -- Of the row of one session; null in the row that the calls without a session share.
  session_hash TEXT,
  limit_micro BIGINT NOT NULL CHECK (limit_micro > 0),
  reserved_micro BIGINT NOT NULL DEFAULT 0 CHECK (reserved_micro >= 0),
  spent_micro BIGINT NOT NULL DEFAULT 0 CHECK (spent_micro >= 0),
  period_ends_at TIMESTAMPTZ,
  opened_at TIMESTAMPTZ NOT NULL,
  used_at TIMESTAMPTZ NOT NULL,
  CONSTRAINT budgets_never_passed CHECK (spent_micro + reserved_micro <= limit_micro)
) WITH (fillfactor = 70);
CREATE INDEX budgets_sessions_of_key ON budgets (api_key_id) WHERE session_hash IS NOT NULL;

ALTER TABLE holds ADD COLUMN budget_ids TEXT[];
ALTER TABLE holds ADD CONSTRAINT holds_at_most_four_budgets CHECK (cardinality(budget_ids) BETWEEN 1 AND 4) NOT VALID;
`;

/** Budgets of keys and sessions, and under which of them a hold stands; null: under none. */
export class Budgets1763700000004 implements MigrationInterface {
  readonly name = 'Budgets1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(budgetsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('open holds may stand under budgets'));
  }
}
