import type { MigrationInterface, QueryRunner } from 'typeorm';
import { memoryCopiesSql, memoryCopiesUndoneSql } from './schema.sql.js';

/** What every replica keeps in memory says when it changed; one table has what is known of a tool. It is filled anew from the catalogue's topic. */
export class MemoryCopies1763700000005 implements MigrationInterface {
  readonly name = 'MemoryCopies1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(memoryCopiesSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(memoryCopiesUndoneSql);
  }
}
