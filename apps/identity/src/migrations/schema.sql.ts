/**
 * E-mail addresses are stored in lower case; hashes are SHA-256. Plain keys and claim codes are nowhere. The numbers are
 * written out, because a migration that has run must not change with the code.
 */
export const identitySchemaSql = `
CREATE TABLE accounts (
  account_id TEXT        PRIMARY KEY CHECK (account_id ~ '^acc_[0-9a-f]{32}$'),
  kind       TEXT        NOT NULL CHECK (kind IN ('trial', 'formal')),
  status     TEXT        NOT NULL CHECK (status IN ('active', 'suspended', 'closed')),
  name       TEXT        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  email      TEXT        CHECK (email = lower(email) AND char_length(email) <= 254),
  opened_at  TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX accounts_email ON accounts (email) WHERE email IS NOT NULL;

CREATE TABLE api_keys (
  api_key_id   UUID        PRIMARY KEY,
  account_id   TEXT        NOT NULL REFERENCES accounts,
  key_hash     BYTEA       NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
  masked_value TEXT        NOT NULL,
  name         TEXT        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
  scopes       TEXT[]      NOT NULL CHECK (cardinality(scopes) > 0),
  issued_at    TIMESTAMPTZ NOT NULL,
  expires_at   TIMESTAMPTZ,
  revoked_at   TIMESTAMPTZ
);
CREATE INDEX api_keys_of_account ON api_keys (account_id, (revoked_at IS NOT NULL), api_key_id DESC);

CREATE TABLE trial_agents (
  agent_id            TEXT        PRIMARY KEY CHECK (agent_id ~ '^agt_[0-9a-f]{32}$'),
  account_id          TEXT        NOT NULL UNIQUE REFERENCES accounts,
  agent_name          TEXT        NOT NULL,
  model               TEXT,
  purpose             TEXT,
  claim_code_hash     BYTEA       NOT NULL UNIQUE CHECK (octet_length(claim_code_hash) = 32),
  trial_micro_credits BIGINT      NOT NULL CHECK (trial_micro_credits >= 0),
  registered_at       TIMESTAMPTZ NOT NULL,
  expires_at          TIMESTAMPTZ NOT NULL
);

CREATE TABLE registration_counters (
  window_start TIMESTAMPTZ NOT NULL,
  scope        TEXT        NOT NULL,
  used         BIGINT      NOT NULL,
  allowed      BIGINT      NOT NULL,
  PRIMARY KEY (window_start, scope)
);

CREATE TABLE bootstrap_accounts (
  role       TEXT PRIMARY KEY CHECK (role IN ('demo', 'admin')),
  account_id TEXT NOT NULL REFERENCES accounts
);
`;
