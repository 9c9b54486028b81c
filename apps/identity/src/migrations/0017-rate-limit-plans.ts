import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replicas of the build before neither read nor write them, so they may run beside it; there every account has the limits
 * of the deployment.
 */
const rateLimitPlansSql = `
CREATE TABLE rate_limit_plans (
  name       TEXT PRIMARY KEY,
  per_minute JSONB NOT NULL,
  change_id  UUID NOT NULL,
  changed_at TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN rate_limit_plans.per_minute IS 'What is absent has the limit of the deployment.';
ALTER TABLE accounts ADD COLUMN rate_limit_plan TEXT REFERENCES rate_limit_plans (name);
COMMENT ON COLUMN accounts.rate_limit_plan IS 'NULL: the plan that is named as the kind of the account.';
CREATE INDEX accounts_by_rate_limit_plan ON accounts (rate_limit_plan) WHERE rate_limit_plan IS NOT NULL;`;

/** Named limits of requests that accounts have in place of the deployment's. */
export class RateLimitPlans1763700000017 implements MigrationInterface {
  readonly name = 'RateLimitPlans1763700000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rateLimitPlansSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN rate_limit_plan; DROP TABLE rate_limit_plans');
  }
}
