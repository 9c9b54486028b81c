import { accountErasuresSql } from '@capability-router/service-kit';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whom to forget, and by which the labels of their keys are found. */
export class AccountErasure1763700000003 implements MigrationInterface {
  readonly name = 'AccountErasure1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(accountErasuresSql);
    await runner.query('CREATE INDEX api_key_labels_of_account ON api_key_labels (account_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX api_key_labels_of_account');
    await runner.query('DROP TABLE erased_accounts');
  }
}
