import { accountErasuresSql } from '@capability-router/service-kit';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whom to forget, and by which their payloads are found. */
export class AccountErasure1700000000008 implements MigrationInterface {
  name = 'AccountErasure1700000000008';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(accountErasuresSql);
    await queryRunner.query('CREATE INDEX execution_payloads_of_account ON execution_payloads (account_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX execution_payloads_of_account');
    await queryRunner.query('DROP TABLE erased_accounts');
  }
}
