import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which rows of `holds` only keep a hold from being placed, and since when: in a table of its own, since an index over
 * `holds` would shut that table, which every paid call writes, for as long as it is built.
 */
const forestalledHoldsSql = `
CREATE TABLE forestalled_holds (
  execution_id TEXT PRIMARY KEY,
  forestalled_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX forestalled_holds_by_time ON forestalled_holds (forestalled_at)`;

export class ForestalledHolds1763700000013 implements MigrationInterface {
  readonly name = 'ForestalledHolds1763700000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(forestalledHoldsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE forestalled_holds');
  }
}
