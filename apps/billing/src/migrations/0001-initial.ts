import { eventStoreSchemaSql } from '@capability-router/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const moneySql = `
CREATE TABLE account_balances (
  account_id TEXT PRIMARY KEY,
  balance_micro BIGINT NOT NULL CHECK (balance_micro >= 0),
  held_micro BIGINT NOT NULL DEFAULT 0 CHECK (held_micro >= 0),
  CONSTRAINT available_never_negative CHECK (balance_micro >= held_micro)
) WITH (fillfactor = 70);

CREATE TABLE holds (
  execution_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  amount_micro BIGINT NOT NULL CHECK (amount_micro > 0),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'captured', 'released', 'uncollected')),
  captured_micro BIGINT NOT NULL DEFAULT 0 CHECK (captured_micro >= 0 AND captured_micro <= amount_micro),
  expires_at TIMESTAMPTZ NOT NULL,
  inquire_after TIMESTAMPTZ NOT NULL,
  placed_at TIMESTAMPTZ NOT NULL,
  ended_at TIMESTAMPTZ
) WITH (fillfactor = 70);
CREATE INDEX holds_open_by_inquiry ON holds (inquire_after) WHERE state = 'open';

CREATE TABLE ledger_heads (
  account_id TEXT PRIMARY KEY,
  entry_seq BIGINT NOT NULL DEFAULT 0,
  balance_micro BIGINT NOT NULL DEFAULT 0,
  last_hash TEXT NOT NULL DEFAULT '${'0'.repeat(64)}',
  last_tx_order BIGINT NOT NULL DEFAULT 0,
  settlement_seq BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

CREATE TABLE ledger_entries (
  entry_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  entry_seq BIGINT NOT NULL CHECK (entry_seq > 0),
  entry_type TEXT NOT NULL,
  amount_micro BIGINT NOT NULL CHECK (amount_micro <> 0),
  balance_before_micro BIGINT NOT NULL CHECK (balance_before_micro >= 0),
  balance_after_micro BIGINT NOT NULL CHECK (balance_after_micro >= 0),
  source_system TEXT NOT NULL,
  source_ref_type TEXT NOT NULL,
  source_ref_id TEXT NOT NULL,
  execution_id TEXT,
  description TEXT NOT NULL,
  metadata JSONB NOT NULL,
  pre_settlement_bill JSONB,
  settlement_result JSONB,
  effective_at TIMESTAMPTZ NOT NULL,
  created_at TIMESTAMPTZ NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  tx_order BIGINT NOT NULL,
  position BIGINT GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT ledger_entries_arithmetic CHECK (balance_after_micro = balance_before_micro + amount_micro),
  CONSTRAINT ledger_entries_dense UNIQUE (account_id, entry_seq)
);
CREATE INDEX ledger_entries_in_commit_order ON ledger_entries (tx_order, position);
CREATE INDEX ledger_entries_by_execution ON ledger_entries (execution_id) WHERE execution_id IS NOT NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'table % is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_never_truncated BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE credit_lots (
  lot_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  category TEXT NOT NULL,
  granted_micro BIGINT NOT NULL CHECK (granted_micro > 0),
  remaining_micro BIGINT NOT NULL CHECK (remaining_micro >= 0 AND remaining_micro <= granted_micro),
  expires_at TIMESTAMPTZ,
  granted_at TIMESTAMPTZ NOT NULL,
  grant_ref TEXT NOT NULL UNIQUE,
  ledger_entry_id TEXT NOT NULL,
  -- What the index below depends on changes once in a lot's life; burning a part of it then touches no index.
  depleted BOOLEAN NOT NULL GENERATED ALWAYS AS (remaining_micro = 0) STORED
) WITH (fillfactor = 70);
CREATE INDEX credit_lots_to_burn ON credit_lots (account_id, expires_at, granted_at, lot_id) WHERE NOT depleted;
CREATE INDEX credit_lots_of_account ON credit_lots (account_id);

CREATE TABLE lot_burns (
  ledger_entry_id TEXT NOT NULL,
  lot_id TEXT NOT NULL,
  amount_micro BIGINT NOT NULL CHECK (amount_micro > 0),
  PRIMARY KEY (ledger_entry_id, lot_id)
);

CREATE TABLE settled_executions (
  execution_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('settled', 'uncollected', 'not_applicable')),
  requested_micro BIGINT NOT NULL CHECK (requested_micro >= 0),
  settled_micro BIGINT NOT NULL CHECK (settled_micro >= 0 AND settled_micro <= requested_micro),
  ledger_entry_id TEXT,
  settlement_seq BIGINT NOT NULL,
  settled_at TIMESTAMPTZ NOT NULL,
  CONSTRAINT ledger_link_exactly_when_charged CHECK ((settled_micro > 0) = (ledger_entry_id IS NOT NULL))
);

CREATE TABLE settlement_exceptions (
  execution_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('missing_hold', 'hold_already_ended', 'bill_exceeds_hold')),
  requested_micro BIGINT NOT NULL,
  raised_at TIMESTAMPTZ NOT NULL
);
`;

const auditSql = `
CREATE TABLE api_key_labels (
  api_key_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  masked_value TEXT NOT NULL
);

CREATE TABLE usage_facts (
  event_id UUID PRIMARY KEY,
  topic TEXT NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_id TEXT NOT NULL,
  effective_at TIMESTAMPTZ NOT NULL,
  data JSONB NOT NULL
);

CREATE TABLE usage_events (
  id UUID PRIMARY KEY,
  account_id TEXT NOT NULL,
  effective_at TIMESTAMPTZ NOT NULL,
  -- False while only the settlement is known: the two facts come from different topics and may arrive in either order.
  recorded BOOLEAN NOT NULL,
  event_type TEXT,
  source_system TEXT,
  source_ref_type TEXT,
  source_ref_id TEXT,
  session_id TEXT,
  search_id TEXT,
  execution_id TEXT,
  tool_id TEXT,
  provider_id TEXT,
  api_key_id TEXT,
  credential_type TEXT,
  model TEXT,
  success BOOLEAN,
  transport_success BOOLEAN,
  provider_success BOOLEAN,
  result_valid BOOLEAN,
  billable_success BOOLEAN,
  outcome TEXT,
  reason_code TEXT,
  user_message TEXT,
  error_message TEXT,
  http_status_code INTEGER,
  provider_status_code INTEGER,
  valid_result_count INTEGER,
  raw_result_count INTEGER,
  chargeable_quantity DOUBLE PRECISION,
  retryable BOOLEAN,
  duration_ms DOUBLE PRECISION,
  billing_rule JSONB,
  bill JSONB,
  requested_micro BIGINT,
  settlement_status TEXT,
  settled_micro BIGINT,
  refunded_micro BIGINT NOT NULL DEFAULT 0,
  ledger_entry_id TEXT,
  settled_at TIMESTAMPTZ,
  effective_micro BIGINT GENERATED ALWAYS AS (COALESCE(settled_micro - refunded_micro, requested_micro, 0)) STORED,
  charge_outcome TEXT GENERATED ALWAYS AS (
    CASE
      WHEN success AND COALESCE(settled_micro - refunded_micro, requested_micro, 0) > 0 THEN 'charged'
      WHEN success THEN 'included'
      WHEN COALESCE(settled_micro - refunded_micro, requested_micro, 0) > 0 THEN 'failed_charged_review'
      ELSE 'failed_not_charged'
    END) STORED
) WITH (fillfactor = 80);
CREATE INDEX usage_events_newest_first ON usage_events (account_id, effective_at DESC, id DESC) WHERE recorded;
CREATE INDEX usage_events_by_execution ON usage_events (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX usage_events_by_search ON usage_events (account_id, search_id) WHERE search_id IS NOT NULL;
`;

/** Money, the audit and the event store of billing. */
export class Initial1763700000001 implements MigrationInterface {
  readonly name = 'Initial1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(eventStoreSchemaSql);
    await runner.query(moneySql);
    await runner.query(auditSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('the ledger is never dropped by a migration'));
  }
}
