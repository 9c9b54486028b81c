import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountErasureSql } from './account-erasure.sql.js';

/** When an account was erased: what repeating the erasure answers. */
export class AccountErasure1763700000002 implements MigrationInterface {
  readonly name = 'AccountErasure1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(accountErasureSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN erased_at');
  }
}
