import { eventStoreSchemaSql } from '@capability-router/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { capabilityRoutingSchemaSql } from './schema.sql.js';

/** The event store and the CAP contracts. */
export class Initial1763700000001 implements MigrationInterface {
  readonly name = 'Initial1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(eventStoreSchemaSql);
    await runner.query(capabilityRoutingSchemaSql);
  }

  /** Contract versions are never undone by a migration. */
  down(): Promise<void> {
    return Promise.reject(new Error('the first migration has no way back'));
  }
}
