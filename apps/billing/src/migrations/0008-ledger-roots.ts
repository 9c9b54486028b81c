import type { MigrationInterface, QueryRunner } from 'typeorm';

const rootsSql = `
CREATE TABLE ledger_roots (
  root_seq BIGINT PRIMARY KEY CHECK (root_seq > 0),
  ledger_date DATE NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  cut BIGINT NOT NULL,
  accounts BIGINT NOT NULL CHECK (accounts >= 0),
  entries BIGINT NOT NULL CHECK (entries >= accounts),
  balance_micro NUMERIC NOT NULL CHECK (balance_micro >= 0),
  merkle_root TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  computed_at TIMESTAMPTZ NOT NULL
);
CREATE TRIGGER ledger_roots_append_only BEFORE UPDATE OR DELETE ON ledger_roots
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_roots_never_truncated BEFORE TRUNCATE ON ledger_roots
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

/** The daily roots over the chains of all accounts. */
export class LedgerRoots1763700000008 implements MigrationInterface {
  readonly name = 'LedgerRoots1763700000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rootsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('roots are never dropped by a migration'));
  }
}
