import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the build before neither read nor write the column, so they may run beside it. */
const keyUseSql = `
ALTER TABLE api_keys ADD COLUMN last_used_at TIMESTAMPTZ;
COMMENT ON COLUMN api_keys.last_used_at IS 'To the minute: gateways ask about a key in use twice in a minute, and uses are written in batches.';
CREATE INDEX api_keys_newest_of_account ON api_keys (account_id, api_key_id DESC);`;

/** When keys were last used, and the order in which accounts list theirs. */
export class KeyUse1763700000014 implements MigrationInterface {
  readonly name = 'KeyUse1763700000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(keyUseSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX api_keys_newest_of_account');
    await runner.query('ALTER TABLE api_keys DROP COLUMN last_used_at');
  }
}
