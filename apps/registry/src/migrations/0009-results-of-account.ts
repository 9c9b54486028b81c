import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which the results of an erased account are found. */
export class ResultsOfAccount1763700000009 implements MigrationInterface {
  readonly name = 'ResultsOfAccount1763700000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX search_results_of_account ON search_results (account_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX search_results_of_account');
  }
}
