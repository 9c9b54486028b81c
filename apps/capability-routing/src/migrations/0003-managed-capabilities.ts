import type { MigrationInterface, QueryRunner } from 'typeorm';
import { managedCapabilitiesSql } from './schema.sql.js';

/** Contracts that administrators write and retire, and the schemas of tools that bindings are checked against. */
export class ManagedCapabilities1763700000003 implements MigrationInterface {
  readonly name = 'ManagedCapabilities1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(managedCapabilitiesSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_schemas');
    await runner.query('ALTER TABLE capabilities DROP COLUMN source, DROP COLUMN retired');
  }
}
