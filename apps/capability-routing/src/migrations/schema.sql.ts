/** The numbers are written out, because a migration that has run must not change with the code. */
export const capabilityRoutingSchemaSql = `
CREATE TABLE capabilities (
  capability_id    TEXT        PRIMARY KEY CHECK (char_length(capability_id) BETWEEN 1 AND 200),
  contract_version INTEGER     NOT NULL CHECK (contract_version > 0),
  schema_hash      TEXT        NOT NULL CHECK (schema_hash ~ '^[0-9a-f]{64}$'),
  contract         JSON        NOT NULL,
  published_at     TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN capabilities.contract IS 'JSON, not JSONB: the order of parameters is part of what people read.';
`;

export const declaredCapabilitiesSql = `
CREATE TABLE declared_capabilities (
  tool_id        TEXT    PRIMARY KEY CHECK (char_length(tool_id) BETWEEN 1 AND 200),
  version        INTEGER NOT NULL CHECK (version > 0),
  capability_ids TEXT[]  NOT NULL,
  description    JSONB   NOT NULL
);
CREATE INDEX declared_capabilities_by_id ON declared_capabilities USING gin (capability_ids);
COMMENT ON TABLE declared_capabilities IS 'Which capability ids the current version of each tool declares; none once it is retired.';
`;
