import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the build before neither read nor write the column, so they may run beside it. */
const consentUsesSql = `
ALTER TABLE oauth_families ADD COLUMN last_used_at TIMESTAMPTZ;
COMMENT ON COLUMN oauth_families.last_used_at IS 'When a token of the family was last used, to the minute, as of keys.';
CREATE INDEX oauth_families_standing_of_account ON oauth_families (account_id, family_id DESC) WHERE revoked_at IS NULL;`;

/** When consents were last used, and the order in which accounts list theirs. */
export class ConsentUses1763700000022 implements MigrationInterface {
  readonly name = 'ConsentUses1763700000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(consentUsesSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX oauth_families_standing_of_account');
    await runner.query('ALTER TABLE oauth_families DROP COLUMN last_used_at');
  }
}
