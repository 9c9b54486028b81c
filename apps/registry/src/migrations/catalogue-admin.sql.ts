/** The numbers are written out, because a migration that has run must not change with the code. */
export const catalogueAdminSql = `
ALTER TABLE tools ADD COLUMN retired_by TEXT CHECK (retired_by IN ('source', 'operator'));
COMMENT ON COLUMN tools.retired_by IS 'What an operator retired no source brings back. NULL counts as source.';
CREATE INDEX tools_of_provider ON tools (provider_id, tool_id);

CREATE TABLE catalogue_providers (
  provider_id     TEXT        PRIMARY KEY CHECK (char_length(provider_id) <= 64),
  source          TEXT        NOT NULL,
  definition      JSON        NOT NULL,
  definition_hash TEXT        NOT NULL CHECK (definition_hash ~ '^[0-9a-f]{64}$'),
  changed_at      TIMESTAMPTZ NOT NULL
);

CREATE TABLE catalogue_categories (
  slug            TEXT        PRIMARY KEY CHECK (char_length(slug) <= 64),
  source          TEXT        NOT NULL,
  definition      JSON        NOT NULL,
  definition_hash TEXT        NOT NULL CHECK (definition_hash ~ '^[0-9a-f]{64}$'),
  changed_at      TIMESTAMPTZ NOT NULL
);

CREATE TABLE tool_versions (
  tool_id       TEXT        NOT NULL,
  version       INTEGER     NOT NULL CHECK (version > 0),
  source        TEXT        NOT NULL,
  schema_hash   TEXT        NOT NULL CHECK (schema_hash ~ '^[0-9a-f]{64}$'),
  contract_hash TEXT        NOT NULL CHECK (contract_hash ~ '^[0-9a-f]{64}$'),
  contract      JSON        NOT NULL,
  published_at  TIMESTAMPTZ NOT NULL,
  superseded_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (tool_id, version)
);
COMMENT ON TABLE tool_versions IS 'Contracts that a later version has replaced; the current one is in tools.';

CREATE TABLE tool_proposals (
  tool_id       TEXT        PRIMARY KEY CHECK (char_length(tool_id) <= 200),
  provider_id   TEXT        NOT NULL,
  source        TEXT        NOT NULL,
  status        TEXT        NOT NULL CHECK (status IN ('draft', 'quarantined', 'rejected')),
  schema_hash   TEXT        NOT NULL CHECK (schema_hash ~ '^[0-9a-f]{64}$'),
  contract_hash TEXT        NOT NULL CHECK (contract_hash ~ '^[0-9a-f]{64}$'),
  manifest      JSON        NOT NULL,
  proposed_at   TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE tool_proposals IS 'What a tool may become: it waits here, and what is published stays as it is.';
CREATE INDEX tool_proposals_by_status ON tool_proposals (status, tool_id);
`;
