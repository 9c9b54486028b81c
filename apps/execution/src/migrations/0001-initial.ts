import { eventStoreSchemaSql } from '@capability-router/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const executionSql = `
CREATE TABLE execution_owners (
  owner_id TEXT PRIMARY KEY,
  lease_until TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE running_executions (
  execution_id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  give_up_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE execution_payloads (
  usage_event_id UUID PRIMARY KEY,
  account_id TEXT NOT NULL,
  request_payload JSON NOT NULL,
  response_summary JSON,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX execution_payloads_by_age ON execution_payloads USING brin (created_at);

CREATE TABLE tool_copies (
  tool_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL CHECK (version > 0),
  contract JSONB,
  retired BOOLEAN NOT NULL,
  CONSTRAINT published_has_contract CHECK (retired OR contract IS NOT NULL)
);
`;

/** `request_payload` is JSON and not JSONB: it keeps every text that callers send, NUL included, as it came. */
export class Initial1700000000001 implements MigrationInterface {
  name = 'Initial1700000000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(eventStoreSchemaSql);
    await queryRunner.query(executionSql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE execution_owners, running_executions, execution_payloads, tool_copies');
    await queryRunner.query(
      'DROP TABLE events, event_store_epoch, relay_leases, consumer_positions, parked_events CASCADE',
    );
  }
}
