import type { MigrationInterface, QueryRunner } from 'typeorm';
import { toolVerificationsSql } from './schema.sql.js';

/** The registry's findings about each tool, filled from its topic from the beginning. */
export class ToolVerifications1763700000006 implements MigrationInterface {
  readonly name = 'ToolVerifications1763700000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(toolVerificationsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_verifications');
  }
}
