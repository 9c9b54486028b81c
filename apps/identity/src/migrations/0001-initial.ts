import { eventStoreSchemaSql } from '@capability-router/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { identitySchemaSql } from './schema.sql.js';

/** The event store and the tables of the first slices. */
export class Initial1763700000001 implements MigrationInterface {
  readonly name = 'Initial1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(eventStoreSchemaSql);
    await runner.query(identitySchemaSql);
  }

  /** Accounts are never undone by a migration. */
  down(): Promise<void> {
    return Promise.reject(new Error('the first migration has no way back'));
  }
}
