import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the release before write neither, and read no scope of a budget. */
const projectsSql = `
ALTER TABLE usage_events ADD COLUMN project_id TEXT;
ALTER TABLE budgets DROP CONSTRAINT budgets_scope_check;
ALTER TABLE budgets ADD CONSTRAINT budgets_scope_check
  CHECK (scope IN ('key', 'session', 'project', 'delegation')) NOT VALID;
`;

/** The project that what was called is counted for, and the counters of projects. */
export class Projects1763700000015 implements MigrationInterface {
  readonly name = 'Projects1763700000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(projectsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('open holds may stand under budgets of projects'));
  }
}
