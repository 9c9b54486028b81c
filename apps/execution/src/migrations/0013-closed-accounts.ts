import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose links lead nowhere any more. A row outlives the links of its account and then goes. */
export class ClosedAccounts1700000000013 implements MigrationInterface {
  name = 'ClosedAccounts1700000000013';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE closed_accounts (
        account_id text PRIMARY KEY,
        closed_at  timestamptz NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX closed_accounts_by_age ON closed_accounts (closed_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE closed_accounts');
  }
}
