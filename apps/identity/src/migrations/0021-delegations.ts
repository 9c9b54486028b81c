import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replicas of the build before take a delegation token for an access token without limits, so that no client may be
 * registered for the exchange while they run: they do not know that grant.
 */
const delegationsSql = `
ALTER TABLE oauth_tokens ADD COLUMN parent_id UUID REFERENCES oauth_tokens ON DELETE CASCADE;
ALTER TABLE oauth_tokens ADD COLUMN constraints JSONB;
ALTER TABLE oauth_tokens ADD COLUMN max_micro BIGINT CHECK (max_micro > 0);
ALTER TABLE oauth_tokens ADD CONSTRAINT delegations_are_whole CHECK ((parent_id IS NULL) = (constraints IS NULL)) NOT VALID;
CREATE INDEX oauth_tokens_of_parent ON oauth_tokens (parent_id) WHERE parent_id IS NOT NULL;
COMMENT ON COLUMN oauth_tokens.parent_id IS 'Of a delegation token: the token that it was exchanged for, without which it is none.';
COMMENT ON COLUMN oauth_tokens.constraints IS 'Of a delegation token: what it may be used for.';
COMMENT ON COLUMN oauth_tokens.max_micro IS 'What may be spent over the life of a delegation token; NULL: what the account has.';
`;

/** Tokens that were exchanged for others of their account, and to what they are held. */
export class Delegations1763700000021 implements MigrationInterface {
  readonly name = 'Delegations1763700000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(delegationsSql);
  }

  /** The tokens go: the build before would take them for access tokens without limits. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM oauth_tokens WHERE parent_id IS NOT NULL');
    await runner.query(
      'ALTER TABLE oauth_tokens DROP COLUMN parent_id CASCADE, DROP COLUMN constraints CASCADE, DROP COLUMN max_micro',
    );
  }
}
