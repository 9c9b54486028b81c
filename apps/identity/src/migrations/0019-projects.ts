import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the build before neither read nor write them, so they may run beside it; there keys spend for no project. */
const projectsSql = `
CREATE TABLE projects (
  project_id    UUID PRIMARY KEY,
  account_id    TEXT NOT NULL REFERENCES accounts (account_id),
  name          TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('open', 'closed')),
  budget_micro  BIGINT CHECK (budget_micro > 0),
  budget_period TEXT CHECK (budget_period IN ('total', 'day', 'month')),
  created_at    TIMESTAMPTZ NOT NULL,
  change_id     UUID,
  changed_at    TIMESTAMPTZ,
  CONSTRAINT projects_budget_whole CHECK ((budget_micro IS NULL) = (budget_period IS NULL))
);
CREATE INDEX projects_of_account ON projects (account_id, project_id DESC);
ALTER TABLE api_keys ADD COLUMN project_id UUID REFERENCES projects (project_id);
CREATE INDEX api_keys_of_project ON api_keys (project_id) WHERE project_id IS NOT NULL;`;

/** Teams of an account, and the keys that spend for them. */
export class Projects1763700000019 implements MigrationInterface {
  readonly name = 'Projects1763700000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(projectsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('which keys spend for whom is never dropped by a migration'));
  }
}
