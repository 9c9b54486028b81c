import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Entries of before come first, in the order in which they were written. A replica of the build before does not say the
 * order, and gets that of its transaction by the default: what it writes is published, if not always behind the entry before it.
 */
const securityLogTopicSql = `
ALTER TABLE security_log_heads ADD COLUMN last_tx_order BIGINT NOT NULL DEFAULT 0;
ALTER TABLE security_log ADD COLUMN tx_order BIGINT NOT NULL DEFAULT 0;
CREATE FUNCTION security_log_tx_order() RETURNS BIGINT LANGUAGE sql VOLATILE AS
  'SELECT epoch * 281474976710656 + pg_current_xact_id()::text::bigint FROM event_store_epoch';
ALTER TABLE security_log ALTER COLUMN tx_order SET DEFAULT security_log_tx_order();
CREATE INDEX security_log_in_commit_order ON security_log (tx_order, position);
COMMENT ON COLUMN security_log.tx_order IS 'With the position, the order in which entries are published.';
`;

/** The order in which entries of the security log are committed, in which its public topic has them. */
export class SecurityLogTopic1763700000025 implements MigrationInterface {
  readonly name = 'SecurityLogTopic1763700000025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(securityLogTopicSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX security_log_in_commit_order;
ALTER TABLE security_log DROP COLUMN tx_order;
DROP FUNCTION security_log_tx_order();
ALTER TABLE security_log_heads DROP COLUMN last_tx_order`);
  }
}
