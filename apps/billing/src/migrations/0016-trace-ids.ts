import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the release before write neither, and their facts and rows are of no trace. */
const traceIdsSql = `
ALTER TABLE usage_facts ADD COLUMN trace_id TEXT;
ALTER TABLE usage_events ADD COLUMN trace_id TEXT;
COMMENT ON COLUMN usage_facts.trace_id IS 'Of the W3C trace context of the event, 32 hex digits; a rebuild of the audit reads it here.';
`;

/** The trace of the request that led to what was called. */
export class TraceIds1763700000016 implements MigrationInterface {
  readonly name = 'TraceIds1763700000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(traceIdsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['usage_events', 'usage_facts'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN trace_id`);
  }
}
