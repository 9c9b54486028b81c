import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `record_seq` is the order in which billing recorded the facts; cursors of the usage audit are places in it. The audit
 * row takes the number of its fact, so that a rebuild changes none. Defaults, because older replicas name neither.
 */
const recordSequenceSql = `
CREATE SEQUENCE usage_record_seq AS BIGINT;
ALTER TABLE usage_facts ADD COLUMN record_seq BIGINT;
ALTER TABLE usage_events ADD COLUMN record_seq BIGINT, ADD COLUMN oauth_client_id TEXT;

UPDATE usage_facts SET record_seq = numbered.record_seq
  FROM (SELECT event_id, row_number() OVER (ORDER BY effective_at, event_id) AS record_seq FROM usage_facts) AS numbered
 WHERE usage_facts.event_id = numbered.event_id;
UPDATE usage_events SET record_seq = facts.record_seq
  FROM (SELECT COALESCE(data->>'usageEventId', substr(data->>'executionId', 6))::uuid AS id, record_seq FROM usage_facts) AS facts
 WHERE usage_events.id = facts.id;
SELECT setval('usage_record_seq', (SELECT COALESCE(max(record_seq), 0) + 1 FROM usage_facts), false);

ALTER TABLE usage_facts ALTER COLUMN record_seq SET DEFAULT nextval('usage_record_seq');
ALTER TABLE usage_events ALTER COLUMN record_seq SET DEFAULT nextval('usage_record_seq');
`;

const indexesSql = `
CREATE INDEX usage_events_by_record ON usage_events (account_id, record_seq DESC) WHERE recorded;
CREATE INDEX usage_facts_of_account ON usage_facts (account_id, effective_at);
CREATE INDEX ledger_entries_by_time ON ledger_entries (account_id, created_at);
`;

/** Columns and indexes by which reads of the audit and the ledger find and order rows. */
export class ReadEndpoints1763700000006 implements MigrationInterface {
  readonly name = 'ReadEndpoints1763700000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(recordSequenceSql);
    await runner.query(indexesSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX usage_events_by_record, usage_facts_of_account, ledger_entries_by_time');
    await runner.query('ALTER TABLE usage_events DROP COLUMN record_seq, DROP COLUMN oauth_client_id');
    await runner.query('ALTER TABLE usage_facts DROP COLUMN record_seq');
    await runner.query('DROP SEQUENCE usage_record_seq');
  }
}
