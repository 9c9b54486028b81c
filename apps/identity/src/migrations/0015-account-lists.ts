import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountStateSql } from './account-state.sql.js';

/** One index for each way in which accounts are looked for; each answers a page without a sort. */
const accountListsSql = `
CREATE INDEX accounts_by_state ON accounts ((${accountStateSql}), account_id DESC);
CREATE INDEX accounts_by_name ON accounts (lower(name) text_pattern_ops, account_id);`;

/** Lists of accounts that stay fast with a million of them. */
export class AccountLists1763700000015 implements MigrationInterface {
  readonly name = 'AccountLists1763700000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(accountListsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX accounts_by_state, accounts_by_name');
  }
}
