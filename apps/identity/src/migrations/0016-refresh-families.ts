import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replicas of the build before neither read nor write the new table and columns. They refuse a client without a secret,
 * and for as long as they run they give tokens by client credentials to a client that may not have them that way.
 */
const refreshFamiliesSql = `
ALTER TABLE oauth_clients ALTER COLUMN secret_hash DROP NOT NULL;
ALTER TABLE oauth_clients ADD COLUMN grant_types TEXT[] NOT NULL DEFAULT '{client_credentials}';
COMMENT ON COLUMN oauth_clients.secret_hash IS 'NULL: a public client, which has no secret.';

CREATE TABLE oauth_families (
  family_id     UUID        PRIMARY KEY,
  client_id     TEXT        NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  account_id    TEXT        NOT NULL REFERENCES accounts,
  api_key_id    UUID        REFERENCES api_keys ON DELETE CASCADE,
  scopes        TEXT[]      NOT NULL CHECK (cardinality(scopes) > 0),
  family_hash   BYTEA       NOT NULL UNIQUE CHECK (octet_length(family_hash) = 32),
  token_hash    BYTEA       NOT NULL CHECK (octet_length(token_hash) = 32),
  previous_hash BYTEA       CHECK (octet_length(previous_hash) = 32),
  began_at      TIMESTAMPTZ NOT NULL,
  rotated_at    TIMESTAMPTZ NOT NULL,
  expires_at    TIMESTAMPTZ NOT NULL,
  revoked_at    TIMESTAMPTZ
);
CREATE INDEX oauth_families_of_account ON oauth_families (account_id, client_id);
CREATE INDEX oauth_families_of_client ON oauth_families (client_id);
CREATE INDEX oauth_families_of_key ON oauth_families (api_key_id) WHERE api_key_id IS NOT NULL;
CREATE INDEX oauth_families_by_end ON oauth_families (expires_at);
COMMENT ON COLUMN oauth_families.api_key_id IS 'The key by which a person signed in, with which the family ends.';
COMMENT ON COLUMN oauth_families.family_hash IS 'SHA-256 of the part that all refresh tokens of the family share.';
COMMENT ON COLUMN oauth_families.token_hash IS 'SHA-256 of the one refresh token that may be used.';

ALTER TABLE oauth_tokens ADD COLUMN family_id UUID REFERENCES oauth_families ON DELETE CASCADE;
CREATE INDEX oauth_tokens_of_family ON oauth_tokens (family_id, expires_at) WHERE family_id IS NOT NULL;
`;

/** Clients without a secret, which grants a client may use, and what one consent of a person gave. */
export class RefreshFamilies1763700000016 implements MigrationInterface {
  readonly name = 'RefreshFamilies1763700000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(refreshFamiliesSql);
  }

  /** Public clients go: the build before has none. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_tokens DROP COLUMN family_id');
    await runner.query('DROP TABLE oauth_families');
    await runner.query('DELETE FROM oauth_clients WHERE secret_hash IS NULL');
    await runner.query('ALTER TABLE oauth_clients DROP COLUMN grant_types, ALTER COLUMN secret_hash SET NOT NULL');
  }
}
