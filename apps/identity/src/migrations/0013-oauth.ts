import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Hashes are SHA-256. Replicas of the build before neither read nor write the tables, so they may run beside them. */
const oauthSql = `
CREATE TABLE oauth_clients (
  client_id     TEXT        PRIMARY KEY CHECK (client_id ~ '^client_[0-9a-f]{32}$'),
  account_id    TEXT        NOT NULL REFERENCES accounts,
  name          TEXT        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
  secret_hash   BYTEA       NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
  scopes        TEXT[]      NOT NULL CHECK (cardinality(scopes) > 0),
  registered_at TIMESTAMPTZ NOT NULL,
  revoked_at    TIMESTAMPTZ
);
CREATE INDEX oauth_clients_of_account ON oauth_clients (account_id);

CREATE TABLE oauth_tokens (
  token_id   UUID        PRIMARY KEY,
  client_id  TEXT        NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  account_id TEXT        NOT NULL REFERENCES accounts,
  scopes     TEXT[]      NOT NULL CHECK (cardinality(scopes) > 0),
  issued_at  TIMESTAMPTZ NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL,
  revoked_at TIMESTAMPTZ
);
CREATE INDEX oauth_tokens_of_client ON oauth_tokens (client_id);
CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at);

CREATE TABLE oauth_signing_keys (
  key_id         TEXT        PRIMARY KEY,
  public_jwk     JSONB       NOT NULL,
  sealed_private BYTEA       NOT NULL,
  made_at        TIMESTAMPTZ NOT NULL,
  signs_from     TIMESTAMPTZ NOT NULL,
  verifies_until TIMESTAMPTZ
);
COMMENT ON COLUMN oauth_signing_keys.signs_from IS 'Later than made_at, so that whoever keeps the published keys has read it.';
COMMENT ON COLUMN oauth_signing_keys.verifies_until IS 'Until then tokens that it signed may live; NULL while it has no successor.';
`;

/** Clients of OAuth 2, the tokens that they hold, and the keys that sign them. */
export class OAuth1763700000013 implements MigrationInterface {
  readonly name = 'OAuth1763700000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(oauthSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_signing_keys');
    await runner.query('DROP TABLE oauth_tokens');
    await runner.query('DROP TABLE oauth_clients');
  }
}
