/** The numbers are written out, because a migration that has run must not change with the code. */
export const registrySchemaSql = `
CREATE TABLE tools (
  tool_id        TEXT        PRIMARY KEY CHECK (char_length(tool_id) <= 200),
  provider_id    TEXT        NOT NULL,
  source         TEXT        NOT NULL,
  status         TEXT        NOT NULL CHECK (status IN ('published', 'retired')),
  version        INTEGER     NOT NULL CHECK (version > 0),
  schema_hash    TEXT        NOT NULL CHECK (schema_hash ~ '^[0-9a-f]{64}$'),
  contract_hash  TEXT        NOT NULL CHECK (contract_hash ~ '^[0-9a-f]{64}$'),
  contract       JSON        NOT NULL,
  event_sequence BIGINT      NOT NULL CHECK (event_sequence > 0),
  changed_at     TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN tools.contract IS 'JSON, not JSONB: the order of parameters is part of what people read.';
COMMENT ON COLUMN tools.event_sequence IS 'The last event of the tool''s stream.';
CREATE INDEX tools_of_source ON tools (source, tool_id) WHERE status = 'published';

CREATE TABLE discovery_payloads (
  usage_event_id  UUID        PRIMARY KEY,
  account_id      TEXT        NOT NULL,
  query           TEXT,
  request_payload JSONB       NOT NULL,
  created_at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX discovery_payloads_by_age ON discovery_payloads (created_at);
CREATE INDEX discovery_payloads_of_account ON discovery_payloads (account_id, created_at);

CREATE TABLE search_results (
  search_id  TEXT        PRIMARY KEY CHECK (search_id ~ '^srch_[0-9a-f]{32}$'),
  account_id TEXT        NOT NULL,
  tool_ids   TEXT[]      NOT NULL CHECK (cardinality(tool_ids) <= 100),
  created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX search_results_by_age ON search_results (created_at);
`;
