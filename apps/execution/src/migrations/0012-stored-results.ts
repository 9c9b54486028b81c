import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The books of the result store: what bounds an account's share and all together, and what expires. Rows live for as long
 * as results do. Both indexes answer from themselves.
 */
export class StoredResults1700000000012 implements MigrationInterface {
  name = 'StoredResults1700000000012';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE stored_results (
        execution_id text PRIMARY KEY,
        account_id   text NOT NULL,
        size_bytes   bigint NOT NULL CHECK (size_bytes >= 0),
        stored_at    timestamptz NOT NULL
      )`);
    await queryRunner.query(
      'CREATE INDEX stored_results_of_account ON stored_results (account_id, stored_at) INCLUDE (size_bytes, execution_id)',
    );
    await queryRunner.query('CREATE INDEX stored_results_by_age ON stored_results (stored_at) INCLUDE (size_bytes)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE stored_results');
  }
}
