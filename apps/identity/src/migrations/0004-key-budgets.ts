import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Amounts are micro-credits. Null: no limit. */
const keyBudgetsSql = `
ALTER TABLE api_keys
  ADD COLUMN budget_micro         BIGINT CHECK (budget_micro > 0),
  ADD COLUMN budget_period        TEXT   CHECK (budget_period IN ('total', 'day', 'month')),
  ADD COLUMN session_budget_micro BIGINT CHECK (session_budget_micro > 0),
  ADD CONSTRAINT api_keys_budget_has_period CHECK ((budget_micro IS NULL) = (budget_period IS NULL))`;

/** The limits of a key: what it may spend in a period, and in each session. */
export class KeyBudgets1763700000004 implements MigrationInterface {
  readonly name = 'KeyBudgets1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(keyBudgetsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('limits that administrators set are never dropped by a migration'));
  }
}
