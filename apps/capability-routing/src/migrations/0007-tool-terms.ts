import type { MigrationInterface, QueryRunner } from 'typeorm';
import { toolTermsSql } from './schema.sql.js';

/** Terms of the use of results. Copies that are there have none until their tool is published again. */
export class ToolTerms1763700000007 implements MigrationInterface {
  readonly name = 'ToolTerms1763700000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(toolTermsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tool_copies DROP COLUMN terms');
  }
}
