import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `lot_restores` is to `lot_burns` what a refund is to a charge: what of which burn went back into which lot.
 * `daily_allowances.limit_micro` is the limit under which the last call was covered, so that the constraint holds whatever
 * the configuration has become since.
 */
const grantsSql = `
CREATE INDEX credit_lots_to_expire ON credit_lots (expires_at, account_id) WHERE NOT depleted AND expires_at IS NOT NULL;

CREATE TABLE lot_restores (
  ledger_entry_id TEXT NOT NULL,
  lot_id TEXT NOT NULL,
  unwound_entry_id TEXT NOT NULL,
  amount_micro BIGINT NOT NULL CHECK (amount_micro > 0),
  PRIMARY KEY (ledger_entry_id, lot_id)
);
CREATE INDEX lot_restores_of_entry ON lot_restores (unwound_entry_id, lot_id);

CREATE TABLE admin_commands (
  idempotency_key TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  account_id TEXT NOT NULL,
  input_hash TEXT NOT NULL,
  commanded_by TEXT NOT NULL,
  -- Free text of an operator. The ledger is for ever, so it holds none; this is blanked when the account is erased.
  note TEXT,
  answer JSONB,
  created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX admin_commands_with_note ON admin_commands (account_id) WHERE note IS NOT NULL;

CREATE TABLE usage_imports (
  account_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  input_hash TEXT NOT NULL,
  import_ref TEXT NOT NULL,
  imported_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (account_id, import_id)
);

CREATE TABLE daily_allowances (
  account_id TEXT NOT NULL,
  day DATE NOT NULL,
  limit_micro BIGINT NOT NULL CHECK (limit_micro > 0),
  reserved_micro BIGINT NOT NULL DEFAULT 0 CHECK (reserved_micro >= 0),
  used_micro BIGINT NOT NULL DEFAULT 0 CHECK (used_micro >= 0),
  PRIMARY KEY (account_id, day),
  CONSTRAINT daily_allowances_never_passed CHECK (reserved_micro + used_micro <= limit_micro)
) WITH (fillfactor = 70);
CREATE INDEX daily_allowances_by_day ON daily_allowances (day);

ALTER TABLE holds ADD COLUMN allowance_day DATE;
ALTER TABLE settled_executions ADD COLUMN covered_micro BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage_events ADD COLUMN covered_micro BIGINT NOT NULL DEFAULT 0;
`;

/**
 * Tables for all that happens to grants later: expiry, refunds, commands of administrators, imports, the daily
 * allowance.
 */
export class Grants1763700000007 implements MigrationInterface {
  readonly name = 'Grants1763700000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('the ledger may already say what these tables explain'));
  }
}
