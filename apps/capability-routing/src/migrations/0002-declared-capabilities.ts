import type { MigrationInterface, QueryRunner } from 'typeorm';
import { declaredCapabilitiesSql } from './schema.sql.js';

/** The capabilities that tools declare; filled from the catalogue's topic, from its beginning. */
export class DeclaredCapabilities1763700000002 implements MigrationInterface {
  readonly name = 'DeclaredCapabilities1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(declaredCapabilitiesSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE declared_capabilities');
  }
}
