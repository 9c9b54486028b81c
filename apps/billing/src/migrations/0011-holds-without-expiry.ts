import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A hold has no end of its own: `inquire_after` says when whoever it was placed for is asked. Older replicas still write
 * `expires_at`, so it stays until none of them runs; a migration of a later release drops it.
 */
const releaseColumnSql = `ALTER TABLE holds ALTER COLUMN expires_at DROP NOT NULL`;

export class HoldsWithoutExpiry1763700000011 implements MigrationInterface {
  readonly name = 'HoldsWithoutExpiry1763700000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(releaseColumnSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE holds SET expires_at = inquire_after WHERE expires_at IS NULL');
    await runner.query('ALTER TABLE holds ALTER COLUMN expires_at SET NOT NULL');
  }
}
