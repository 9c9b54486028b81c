import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The findings of verification about each tool, and the replica that is at it. */
export class ToolVerifications1763700000010 implements MigrationInterface {
  readonly name = 'ToolVerifications1763700000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(toolVerificationsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_verifications');
  }
}

/** The numbers are written out, because a migration that has run must not change with the code. */
const toolVerificationsSql = `
CREATE TABLE tool_verifications (
  tool_id       TEXT        PRIMARY KEY CHECK (char_length(tool_id) <= 200),
  requested     BOOLEAN     NOT NULL DEFAULT false,
  tried_version INTEGER,
  claim_id      UUID,
  claimed_until TIMESTAMPTZ,
  next_due_at   TIMESTAMPTZ,
  failures      INTEGER     NOT NULL DEFAULT 0,
  problem       TEXT        CHECK (char_length(problem) <= 500),
  verdict       JSON,
  evidence      JSON,
  observed      JSON,
  change_order  BIGINT      NOT NULL DEFAULT 0,
  CHECK ((claim_id IS NULL) = (claimed_until IS NULL))
);
COMMENT ON COLUMN tool_verifications.verdict IS 'As in the last event of the tool; NULL until a run could judge it.';
COMMENT ON COLUMN tool_verifications.evidence IS 'By check, what the digests of the verdict are made over.';
COMMENT ON COLUMN tool_verifications.observed IS 'The schema of results, and the version of the tool that they are of.';
COMMENT ON COLUMN tool_verifications.problem IS 'Why the last run judged nothing; NULL where it did.';
CREATE INDEX tool_verifications_by_change ON tool_verifications (change_order, tool_id);
`;
