import type { MigrationInterface, QueryRunner } from 'typeorm';
import { routingEvidenceSql } from './schema.sql.js';

/** The tables that decisions rest on: the catalogue's tools, filled from its topic from the beginning, and what calls say about them. */
export class RoutingEvidence1763700000004 implements MigrationInterface {
  readonly name = 'RoutingEvidence1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(routingEvidenceSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_copies, evidence');
  }
}
