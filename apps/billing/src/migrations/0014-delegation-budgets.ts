import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The counter of a delegation token belongs to no key. Replicas of the release before write none, and read no scope. */
const delegationBudgetsSql = `
ALTER TABLE budgets ALTER COLUMN api_key_id DROP NOT NULL;
ALTER TABLE budgets DROP CONSTRAINT budgets_scope_check;
ALTER TABLE budgets ADD CONSTRAINT budgets_scope_check CHECK (scope IN ('key', 'session', 'delegation')) NOT VALID;
ALTER TABLE budgets ADD CONSTRAINT budgets_of_a_key CHECK (api_key_id IS NOT NULL OR scope NOT IN ('key', 'session')) NOT VALID;
`;

export class DelegationBudgets1763700000014 implements MigrationInterface {
  readonly name = 'DelegationBudgets1763700000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(delegationBudgetsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('open holds may stand under budgets of delegation tokens'));
  }
}
