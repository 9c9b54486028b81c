import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The answer of an Inspect is kept beside its request; `search_results` has those of searches. */
export class Discovery1763700000002 implements MigrationInterface {
  readonly name = 'Discovery1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE discovery_payloads ADD COLUMN response_summary JSONB');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE discovery_payloads DROP COLUMN response_summary');
  }
}
