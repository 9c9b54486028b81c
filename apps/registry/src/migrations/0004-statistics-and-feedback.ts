import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of what executions and charges say about tools: counts by day, the terms that led to them, and whom to forget. */
export class StatisticsAndFeedback1763700000004 implements MigrationInterface {
  readonly name = 'StatisticsAndFeedback1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statisticsSql);
    await runner.query(feedbackSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erased_accounts, tool_feedback, feedback_uses');
    await runner.query('DROP TABLE statistics_summaries, statistics_buckets, counted_executions');
  }
}

/** The numbers are written out, because a migration that has run must not change with the code. */
const statisticsSql = `
CREATE TABLE counted_executions (
  execution_id UUID        PRIMARY KEY,
  counted_at   TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE counted_executions IS 'What makes an event that is published twice count once.';
CREATE INDEX counted_executions_by_age ON counted_executions (counted_at);

CREATE TABLE statistics_buckets (
  subject         TEXT        NOT NULL CHECK (subject ~ '^(tool|provider):' AND char_length(subject) <= 220),
  day             DATE        NOT NULL,
  success_count   BIGINT      NOT NULL CHECK (success_count >= 0),
  failure_count   BIGINT      NOT NULL CHECK (failure_count >= 0),
  duration_ms_sum BIGINT      NOT NULL CHECK (duration_ms_sum >= 0),
  latency_counts  BIGINT[]    NOT NULL CHECK (cardinality(latency_counts) <= 100),
  last_sample_at  TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (subject, day)
);
COMMENT ON COLUMN statistics_buckets.duration_ms_sum IS 'Of successes only, as is latency_counts.';
CREATE INDEX statistics_buckets_by_day ON statistics_buckets (day);

CREATE TABLE statistics_summaries (
  subject        TEXT             PRIMARY KEY,
  summarised_on  DATE             NOT NULL,
  success_count  BIGINT           NOT NULL DEFAULT 0,
  failure_count  BIGINT           NOT NULL DEFAULT 0,
  average_ms     DOUBLE PRECISION,
  p95_ms         DOUBLE PRECISION,
  last_sample_at TIMESTAMPTZ,
  change_order   BIGINT           NOT NULL DEFAULT 0
);
COMMENT ON COLUMN statistics_summaries.summarised_on IS '-infinity: its buckets have changed since.';
CREATE INDEX statistics_summaries_due ON statistics_summaries (summarised_on);
CREATE INDEX statistics_summaries_by_change ON statistics_summaries (change_order, subject);
`;

const feedbackSql = `
CREATE TABLE feedback_uses (
  account_id TEXT   NOT NULL,
  tool_id    TEXT   NOT NULL,
  used_on    DATE   NOT NULL,
  terms      TEXT[] NOT NULL CHECK (cardinality(terms) BETWEEN 1 AND 64),
  words      TEXT[] NOT NULL CHECK (cardinality(words) = cardinality(terms)),
  PRIMARY KEY (account_id, tool_id, used_on)
);
COMMENT ON TABLE feedback_uses IS 'What an account searched with when it paid for the tool; the first of each day.';
CREATE INDEX feedback_uses_of_tool ON feedback_uses (tool_id, used_on);
CREATE INDEX feedback_uses_by_day ON feedback_uses (used_on);

CREATE TABLE tool_feedback (
  tool_id      TEXT   PRIMARY KEY,
  computed_on  DATE   NOT NULL,
  terms        JSONB  NOT NULL DEFAULT '[]',
  change_order BIGINT NOT NULL DEFAULT 0
);
COMMENT ON COLUMN tool_feedback.computed_on IS '-infinity: its uses have changed since.';
CREATE INDEX tool_feedback_due ON tool_feedback (computed_on);
CREATE INDEX tool_feedback_by_change ON tool_feedback (change_order, tool_id);

CREATE TABLE erased_accounts (
  account_id TEXT        PRIMARY KEY,
  erased_at  TIMESTAMPTZ NOT NULL,
  due_at     TIMESTAMPTZ
);
COMMENT ON COLUMN erased_accounts.due_at IS 'When to look again for rows of the account; NULL: never again.';
CREATE INDEX erased_accounts_due ON erased_accounts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX erased_accounts_by_age ON erased_accounts (erased_at);
`;
