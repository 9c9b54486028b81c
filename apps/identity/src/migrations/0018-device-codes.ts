import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the build before neither read nor write the table. No code is stored; hashes are SHA-256 or HMACs of it. */
const deviceCodesSql = `
CREATE TABLE oauth_device_codes (
  device_id        UUID        PRIMARY KEY,
  device_hash      BYTEA       NOT NULL UNIQUE CHECK (octet_length(device_hash) = 32),
  user_code_hash   BYTEA       NOT NULL UNIQUE CHECK (octet_length(user_code_hash) = 32),
  address_hash     BYTEA       NOT NULL CHECK (octet_length(address_hash) = 32),
  client_id        TEXT        NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  scopes           TEXT[]      NOT NULL CHECK (cardinality(scopes) > 0),
  state            TEXT        NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
  interval_seconds INTEGER     NOT NULL,
  polled_at        TIMESTAMPTZ,
  sign_in_tries    INTEGER     NOT NULL CHECK (sign_in_tries >= 0),
  mailed_hash      BYTEA       CHECK (octet_length(mailed_hash) = 32),
  mailed_at        TIMESTAMPTZ,
  mailed_tries     INTEGER     NOT NULL CHECK (mailed_tries >= 0),
  account_id       TEXT        REFERENCES accounts,
  api_key_id       UUID        REFERENCES api_keys ON DELETE CASCADE,
  granted_scopes   TEXT[],
  issued_at        TIMESTAMPTZ NOT NULL,
  expires_at       TIMESTAMPTZ NOT NULL,
  CHECK (state NOT IN ('approved', 'used') OR (account_id IS NOT NULL AND granted_scopes IS NOT NULL))
);
CREATE INDEX oauth_device_codes_of_client ON oauth_device_codes (client_id, expires_at);
CREATE INDEX oauth_device_codes_of_address ON oauth_device_codes (address_hash, expires_at);
CREATE INDEX oauth_device_codes_of_account ON oauth_device_codes (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX oauth_device_codes_of_key ON oauth_device_codes (api_key_id) WHERE api_key_id IS NOT NULL;
CREATE INDEX oauth_device_codes_by_end ON oauth_device_codes (expires_at);
COMMENT ON COLUMN oauth_device_codes.sign_in_tries IS 'Keys that may still be shown for this code.';
COMMENT ON COLUMN oauth_device_codes.mailed_hash IS 'HMAC of the newest mailed code; of an address without an account no code fits.';
`;

/** Codes by which a program asks a person on another device: RFC 8628. */
export class DeviceCodes1763700000018 implements MigrationInterface {
  readonly name = 'DeviceCodes1763700000018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deviceCodesSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_device_codes');
  }
}
