import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replicas of the build before write none of these columns and tables, so they may run beside it. Accounts with an address
 * were all opened by operators: where a mailbox has several, they share its canonical address.
 */
const agentClaimsSql = `
ALTER TABLE accounts ADD COLUMN email_canonical TEXT CHECK (char_length(email_canonical) <= 254);
COMMENT ON COLUMN accounts.email_canonical IS 'Addresses of one mailbox share it.';
UPDATE accounts SET email_canonical = regexp_replace(email, '^([^@+]+)[+][^@]*@', '\\1@') WHERE email IS NOT NULL;
CREATE INDEX accounts_email_canonical ON accounts (email_canonical) WHERE email_canonical IS NOT NULL;

ALTER TABLE trial_agents ADD COLUMN claimed_at TIMESTAMPTZ;

CREATE TABLE agent_claims (
  account_id   TEXT        PRIMARY KEY REFERENCES accounts,
  claim_id     UUID        NOT NULL,
  email        TEXT        NOT NULL CHECK (char_length(email) <= 254),
  code_hash    BYTEA       NOT NULL CHECK (octet_length(code_hash) = 32),
  tries_left   INTEGER     NOT NULL CHECK (tries_left >= 0),
  requested_at TIMESTAMPTZ NOT NULL,
  expires_at   TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN agent_claims.code_hash IS 'HMAC-SHA256 of claim, address and code; the plain code is nowhere.';

CREATE TABLE welcome_bonuses (
  email_hash BYTEA       PRIMARY KEY CHECK (octet_length(email_hash) = 32),
  granted_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE welcome_bonuses IS 'Mailboxes that had their welcome bonus; rows stay for ever.';

CREATE TABLE mails (
  mail_id         UUID        PRIMARY KEY,
  account_id      TEXT        NOT NULL REFERENCES accounts,
  state           TEXT        NOT NULL CHECK (state IN ('waiting', 'sent', 'failed')),
  sealed          BYTEA,
  attempts        INTEGER     NOT NULL,
  next_attempt_at TIMESTAMPTZ NOT NULL,
  expires_at      TIMESTAMPTZ NOT NULL,
  created_at      TIMESTAMPTZ NOT NULL,
  CHECK ((state = 'waiting') = (sealed IS NOT NULL))
);
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE state = 'waiting';
CREATE INDEX mails_ended ON mails (created_at) WHERE state <> 'waiting';
CREATE INDEX mails_of_account ON mails (account_id);
COMMENT ON COLUMN mails.sealed IS 'Address and content, AES-256-GCM; gone once the mail has ended.';`;

/** Trials can be claimed by an e-mail address, and mail waits in the database until a server takes it. */
export class AgentClaims1763700000010 implements MigrationInterface {
  readonly name = 'AgentClaims1763700000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(agentClaimsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('who has had a welcome bonus is never forgotten by a migration'));
  }
}
