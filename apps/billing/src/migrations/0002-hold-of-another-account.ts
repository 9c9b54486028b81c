import type { MigrationInterface, QueryRunner } from 'typeorm';

const widenKindsSql = `
ALTER TABLE settlement_exceptions
  DROP CONSTRAINT settlement_exceptions_kind_check,
  ADD CONSTRAINT settlement_exceptions_kind_check
    CHECK (kind IN ('missing_hold', 'hold_already_ended', 'bill_exceeds_hold', 'hold_of_another_account'))`;

/** One more kind of settlement exception. */
export class HoldOfAnotherAccount1763700000002 implements MigrationInterface {
  readonly name = 'HoldOfAnotherAccount1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(widenKindsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('rows may already have the new kind'));
  }
}
