import type { MigrationInterface, QueryRunner } from 'typeorm';
import { memoryCopiesSql, memoryCopiesUndoneSql } from './schema.sql.js';

/** Rows that every replica keeps in memory say when they changed; one table holds the evidence about tools. It is filled anew from the catalogue's topic. */
export class MemoryCopies1763700000005 implements MigrationInterface {
  readonly name = 'MemoryCopies1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(memoryCopiesSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(memoryCopiesUndoneSql);
  }
}
