import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An execution may now have an exception of each kind. What is open stands in a table of its own, which a trigger fills,
 * so that older replicas queue theirs too, and which stays as small as the queue is; what was done is only ever appended.
 */
const queueSql = `
ALTER TABLE settlement_exceptions
  DROP CONSTRAINT settlement_exceptions_kind_check,
  ADD CONSTRAINT settlement_exceptions_kind_check
    CHECK (kind IN ('missing_hold', 'hold_already_ended', 'bill_exceeds_hold', 'hold_of_another_account',
                    'failed_charged_review', 'missing_ledger_link', 'missing_billing_snapshot')),
  DROP CONSTRAINT settlement_exceptions_pkey,
  ADD COLUMN exception_id TEXT NOT NULL DEFAULT 'xcp_' || replace(gen_random_uuid()::text, '-', '') PRIMARY KEY,
  ADD COLUMN exception_seq BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
  ADD CONSTRAINT settlement_exceptions_once UNIQUE (execution_id, kind);
CREATE INDEX settlement_exceptions_of_account ON settlement_exceptions (account_id, exception_seq);

CREATE TABLE open_exceptions (
  exception_seq BIGINT PRIMARY KEY,
  exception_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  raised_at TIMESTAMPTZ NOT NULL
);
CREATE FUNCTION queue_exception() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO open_exceptions (exception_seq, exception_id, kind, raised_at)
  VALUES (NEW.exception_seq, NEW.exception_id, NEW.kind, NEW.raised_at);
  RETURN NULL;
END $$;
CREATE TRIGGER settlement_exceptions_queued AFTER INSERT ON settlement_exceptions
  FOR EACH ROW EXECUTE FUNCTION queue_exception();
INSERT INTO open_exceptions (exception_seq, exception_id, kind, raised_at)
SELECT exception_seq, exception_id, kind, raised_at FROM settlement_exceptions;

CREATE TABLE settlement_exception_actions (
  exception_id TEXT NOT NULL,
  action_seq INTEGER NOT NULL CHECK (action_seq > 0),
  action TEXT NOT NULL CHECK (action IN ('refunded', 'confirmed', 'written_off', 'cleared')),
  -- What a write-off gives up; what a refund gives back is in the answer of its command, as its entry is.
  amount_micro BIGINT CHECK (amount_micro >= 0),
  reference TEXT,
  acted_by TEXT NOT NULL,
  -- Of the command, whose note says why; null where the reconciler acted.
  idempotency_key TEXT UNIQUE,
  acted_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (exception_id, action_seq)
);
CREATE TRIGGER settlement_exception_actions_append_only BEFORE UPDATE OR DELETE ON settlement_exception_actions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER settlement_exception_actions_never_truncated BEFORE TRUNCATE ON settlement_exception_actions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

/** Revisions are kept for ever, because a rebuild of the audit needs them. */
const revisionsSql = `
CREATE TABLE outcome_revisions (
  usage_event_id UUID PRIMARY KEY,
  execution_id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason_code TEXT NOT NULL,
  revised_by TEXT NOT NULL,
  reference TEXT,
  revised_at TIMESTAMPTZ NOT NULL
);
CREATE TRIGGER outcome_revisions_append_only BEFORE UPDATE OR DELETE ON outcome_revisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER outcome_revisions_never_truncated BEFORE TRUNCATE ON outcome_revisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE usage_events ADD COLUMN revised_at TIMESTAMPTZ;
-- In which the reconciler looks at every row once. An expression, so that no page of an account is ever planned over it:
-- of an account that has been quiet for long, that would be a walk through everybody else's rows.
CREATE INDEX usage_events_in_record_order ON usage_events ((record_seq + 0));
`;

/** How far each background check has come, and what it found; see the checks for the shape of their state. */
const checksSql = `
CREATE TABLE background_checks (
  check_name TEXT PRIMARY KEY,
  state JSONB NOT NULL,
  updated_at TIMESTAMPTZ NOT NULL
);
`;

/** The exceptions queue, revised outcomes, and the checks that run in the background. */
export class Exceptions1763700000009 implements MigrationInterface {
  readonly name = 'Exceptions1763700000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(queueSql);
    await runner.query(revisionsSql);
    await runner.query(checksSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('actions and revisions are never dropped by a migration'));
  }
}
