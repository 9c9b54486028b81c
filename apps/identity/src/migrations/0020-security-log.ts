import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the build before do not know the tables: what they do while they run is not in the log. */
const securityLogSql = `
CREATE TABLE security_log_heads (
  chain         TEXT   PRIMARY KEY,
  entry_seq     BIGINT NOT NULL DEFAULT 0,
  last_hash     TEXT   NOT NULL DEFAULT repeat('0', 64)
) WITH (fillfactor = 70);
COMMENT ON TABLE security_log_heads IS 'The end of every chain; its row lock is the order of the chain.';

CREATE TABLE security_log (
  entry_id         UUID        PRIMARY KEY,
  chain            TEXT        NOT NULL,
  entry_seq        BIGINT      NOT NULL CHECK (entry_seq > 0),
  action           TEXT        NOT NULL,
  account_id       TEXT,
  actor_type       TEXT        NOT NULL,
  actor_account_id TEXT,
  actor_api_key_id TEXT,
  actor_client_id  TEXT,
  credential_type  TEXT,
  object_type      TEXT,
  object_id        TEXT,
  reason           TEXT,
  occurrences      INT         NOT NULL CHECK (occurrences > 0),
  request_id       TEXT,
  details_hash     TEXT,
  recorded_at      TIMESTAMPTZ NOT NULL,
  previous_hash    TEXT        NOT NULL,
  hash             TEXT        NOT NULL,
  position         BIGINT      GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT security_log_dense UNIQUE (chain, entry_seq)
);
CREATE UNIQUE INDEX security_log_in_order ON security_log (position);
CREATE INDEX security_log_of_account ON security_log (account_id, position);
CREATE INDEX security_log_of_actor ON security_log (actor_account_id, position);
CREATE INDEX security_log_of_action ON security_log (action, position);
COMMENT ON COLUMN security_log.details_hash IS 'SHA-256 of the salt and the details beside it; it stays when both are erased.';

CREATE TABLE security_log_details (
  entry_id         UUID  PRIMARY KEY,
  account_id       TEXT,
  actor_account_id TEXT,
  salt             TEXT  NOT NULL,
  details          JSONB NOT NULL
);
CREATE INDEX security_log_details_of_account ON security_log_details (account_id);
CREATE INDEX security_log_details_of_actor ON security_log_details (actor_account_id);
COMMENT ON TABLE security_log_details IS 'Addresses and names; erased with the account.';
`;

/** Who did what to accounts and credentials: chained entries, and the erasable details beside them. */
export class SecurityLog1763700000020 implements MigrationInterface {
  readonly name = 'SecurityLog1763700000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(securityLogSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE security_log_details, security_log, security_log_heads');
  }
}
