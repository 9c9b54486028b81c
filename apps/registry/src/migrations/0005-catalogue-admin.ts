import type { MigrationInterface, QueryRunner } from 'typeorm';
import { catalogueAdminSql } from './catalogue-admin.sql.js';

/** Providers and categories as rows, versions that were, and changes that wait. */
export class CatalogueAdmin1763700000005 implements MigrationInterface {
  readonly name = 'CatalogueAdmin1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(catalogueAdminSql);
  }

  /** Versions of tools are never undone by a migration. */
  down(): Promise<void> {
    return Promise.reject(new Error('versions that were kept have no way back'));
  }
}
