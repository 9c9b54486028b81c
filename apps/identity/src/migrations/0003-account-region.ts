import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountRegionSql } from './account-region.sql.js';

/** The region of an account, by which tools may be kept from it. */
export class AccountRegion1763700000003 implements MigrationInterface {
  readonly name = 'AccountRegion1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(accountRegionSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN region');
  }
}
