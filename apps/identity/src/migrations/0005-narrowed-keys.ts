import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the build before neither read nor write the column, so they may run beside it. */
const narrowedKeysSql = `
ALTER TABLE api_keys ADD COLUMN narrowed BOOLEAN NOT NULL DEFAULT false;
COMMENT ON COLUMN api_keys.narrowed IS
  'Issued when scopes opened more than they do now; false once an operator has granted the key a scope.';
UPDATE api_keys SET narrowed = true WHERE revoked_at IS NULL AND NOT scopes @> '{call,read,manage}';
CREATE INDEX api_keys_narrowed ON api_keys (api_key_id) WHERE narrowed;`;

/** Which keys can do less since scopes mean what they say. No key gets a scope. */
export class NarrowedKeys1763700000005 implements MigrationInterface {
  readonly name = 'NarrowedKeys1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(narrowedKeysSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN narrowed');
  }
}
