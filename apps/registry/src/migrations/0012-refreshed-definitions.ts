import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Providers and categories tell whether the tools that show them have been brought up to them. Of rows that are there nobody knows it:
 * whoever names one next looks at its tools once.
 */
export class RefreshedDefinitions1763700000012 implements MigrationInterface {
  readonly name = 'RefreshedDefinitions1763700000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(refreshedDefinitionsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalogue_providers DROP COLUMN refreshed_hash;
      ALTER TABLE catalogue_categories DROP COLUMN refreshed_hash`);
  }
}

const refreshedDefinitionsSql = `
ALTER TABLE catalogue_providers ADD COLUMN refreshed_hash TEXT;
ALTER TABLE catalogue_categories ADD COLUMN refreshed_hash TEXT;
COMMENT ON COLUMN catalogue_providers.refreshed_hash IS
  'The hash of the definition that all its tools are known to show. Any other than definition_hash, NULL included: they may show an older one.';
COMMENT ON COLUMN catalogue_categories.refreshed_hash IS
  'The hash of the definition that all its tools are known to show. Any other than definition_hash, NULL included: they may show an older one.';
`;
