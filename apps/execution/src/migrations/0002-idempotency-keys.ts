import type { MigrationInterface, QueryRunner } from 'typeorm';

const idempotencySql = `
CREATE TABLE idempotency_keys (
  account_id TEXT NOT NULL,
  route TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  execution_id TEXT NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (account_id, route, key)
);
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

CREATE TABLE idempotent_answers (
  execution_id TEXT PRIMARY KEY,
  body JSON NOT NULL,
  kept_as TEXT,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX idempotent_answers_by_expiry ON idempotent_answers (expires_at);
`;

/** The answers stand apart from the keys, so that ending an execution inserts a row and never rewrites one. */
export class IdempotencyKeys1700000000002 implements MigrationInterface {
  name = 'IdempotencyKeys1700000000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(idempotencySql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotency_keys, idempotent_answers');
  }
}
