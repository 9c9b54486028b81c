import type { MigrationInterface, QueryRunner } from 'typeorm';

/** OpenAPI documents and MCP servers that tools were imported from. */
export class Sources1763700000006 implements MigrationInterface {
  readonly name = 'Sources1763700000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tool_sources (
        source_id   TEXT        PRIMARY KEY CHECK (char_length(source_id) <= 64),
        kind        TEXT        NOT NULL CHECK (kind IN ('openapi', 'mcp')),
        provider_id TEXT        NOT NULL CHECK (char_length(provider_id) <= 64),
        request     JSON        NOT NULL,
        tool_ids    JSON        NOT NULL,
        counts      JSON        NOT NULL,
        imported_at TIMESTAMPTZ NOT NULL
      );
      COMMENT ON COLUMN tool_sources.request IS 'What was asked for, without a document that was sent with it.';
      COMMENT ON COLUMN tool_sources.tool_ids IS 'By the key of a tool at its source: an id that was given once stays.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_sources');
  }
}
