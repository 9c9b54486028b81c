import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vectors that a model made of the texts of tools, so that no text is paid for twice. */
export class ToolEmbeddings1763700000007 implements MigrationInterface {
  readonly name = 'ToolEmbeddings1763700000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(toolEmbeddingsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_embeddings, embedding_models');
  }
}

/** The numbers are written out, because a migration that has run must not change with the code. */
const toolEmbeddingsSql = `
CREATE TABLE tool_embeddings (
  tool_id       TEXT        NOT NULL CHECK (char_length(tool_id) <= 200),
  model_key     TEXT        NOT NULL CHECK (char_length(model_key) <= 200),
  content_hash  TEXT        NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  vector        BYTEA       CHECK (octet_length(vector) BETWEEN 1 AND 4096),
  claimed_until TIMESTAMPTZ,
  PRIMARY KEY (tool_id, model_key, content_hash),
  CHECK ((vector IS NULL) = (claimed_until IS NOT NULL))
);
COMMENT ON COLUMN tool_embeddings.vector IS 'One signed byte a dimension; NULL: a replica is computing it.';
CREATE INDEX tool_embeddings_of_model ON tool_embeddings (model_key);

CREATE TABLE embedding_models (
  model_key    TEXT        PRIMARY KEY CHECK (char_length(model_key) <= 200),
  last_used_at TIMESTAMPTZ NOT NULL
);
`;
