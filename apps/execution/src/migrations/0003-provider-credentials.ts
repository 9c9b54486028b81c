import type { MigrationInterface, QueryRunner } from 'typeorm';

const sql = `
CREATE TABLE provider_credentials (
  owner_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  revision UUID NOT NULL,
  key_id TEXT NOT NULL,
  sealed_fields JSONB NOT NULL CHECK (jsonb_typeof(sealed_fields) = 'object'),
  set_at TIMESTAMPTZ NOT NULL,
  sealed_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (owner_id, provider_id)
);
CREATE INDEX provider_credentials_by_key ON provider_credentials (key_id);
`;

/** The credentials that providers are shown, sealed: `sealed_fields` is base64 by field name, `owner_id` an account or `deployment`. */
export class ProviderCredentials1700000000003 implements MigrationInterface {
  name = 'ProviderCredentials1700000000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE provider_credentials');
  }
}
