import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the build before neither read nor write the columns; their rows ask for the interface. */
const resourcePathsSql = `
ALTER TABLE oauth_device_codes ADD COLUMN resource_path TEXT NOT NULL DEFAULT '/api/v1' CHECK (char_length(resource_path) <= 64);
ALTER TABLE oauth_families ADD COLUMN resource_path TEXT NOT NULL DEFAULT '/api/v1' CHECK (char_length(resource_path) <= 64);
COMMENT ON COLUMN oauth_device_codes.resource_path IS 'The resource that the program asked for, without the origin.';
COMMENT ON COLUMN oauth_families.resource_path IS 'The resource that the program asked for, without the origin.';
`;

/** By which of its names a program asks for the interface: people are shown that one. */
export class ResourcePaths1763700000027 implements MigrationInterface {
  readonly name = 'ResourcePaths1763700000027';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(resourcePathsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['oauth_device_codes', 'oauth_families']) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN resource_path`);
    }
  }
}
