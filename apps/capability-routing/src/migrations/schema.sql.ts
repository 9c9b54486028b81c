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

export const managedCapabilitiesSql = `
ALTER TABLE capabilities
  ADD COLUMN source  TEXT    NOT NULL DEFAULT 'builtin' CHECK (source IN ('builtin', 'manifest')),
  ADD COLUMN retired BOOLEAN NOT NULL DEFAULT false;
COMMENT ON COLUMN capabilities.source IS 'A build changes what comes with builds; what an administrator wrote it leaves alone.';

CREATE TABLE tool_schemas (
  tool_id           TEXT    PRIMARY KEY CHECK (char_length(tool_id) BETWEEN 1 AND 200),
  version           INTEGER NOT NULL CHECK (version > 0),
  retired           BOOLEAN NOT NULL,
  parameters_schema JSON    NOT NULL,
  one_of_required   JSONB   NOT NULL,
  result_schema     JSON
);
COMMENT ON TABLE tool_schemas IS 'What each tool of the catalogue takes and, where it says so, gives: bindings of capabilities are checked against it.';
`;

export const routingEvidenceSql = `
CREATE TABLE tool_copies (
  tool_id             TEXT    PRIMARY KEY CHECK (char_length(tool_id) BETWEEN 1 AND 200),
  version             INTEGER NOT NULL CHECK (version > 0),
  retired             BOOLEAN NOT NULL,
  provider_id         TEXT    NOT NULL DEFAULT '',
  price               JSONB   NOT NULL DEFAULT '{}',
  price_rule_hash     TEXT    NOT NULL DEFAULT '',
  required_parameters TEXT[]  NOT NULL DEFAULT '{}',
  one_of_required     JSONB   NOT NULL DEFAULT '[]',
  region              TEXT,
  owner_account_ids   TEXT[]  NOT NULL DEFAULT '{}',
  CHECK (retired OR price_rule_hash ~ '^[0-9a-f]{64}$')
);
COMMENT ON TABLE tool_copies IS 'What decisions need to know of each tool of the catalogue.';

CREATE TABLE evidence (
  subject         TEXT             PRIMARY KEY CHECK (subject ~ '^(tool|provider):' AND char_length(subject) <= 220),
  successes       DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (successes >= 0),
  failures        DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (failures >= 0),
  latencies       DOUBLE PRECISION[] NOT NULL DEFAULT '{}' CHECK (cardinality(latencies) <= 100),
  as_of           TIMESTAMPTZ      NOT NULL,
  failures_in_row INTEGER          NOT NULL DEFAULT 0 CHECK (failures_in_row >= 0),
  open_breaker    JSONB,
  recent          TEXT[]           NOT NULL DEFAULT '{}' CHECK (cardinality(recent) <= 100),
  change_order    BIGINT           NOT NULL DEFAULT 0
);
CREATE INDEX evidence_by_change ON evidence (change_order, subject);
COMMENT ON COLUMN evidence.as_of IS 'Up to when the counts, which fade, are faded.';
COMMENT ON COLUMN evidence.recent IS 'Executions that were counted last: an event that comes twice counts once.';
`;

export const memoryCopiesSql = `
ALTER TABLE capabilities ADD COLUMN change_order BIGINT NOT NULL DEFAULT 1;
CREATE INDEX capabilities_by_change ON capabilities (change_order, capability_id);

ALTER TABLE tool_copies
  ADD COLUMN parameters_schema JSON   NOT NULL DEFAULT '{}',
  ADD COLUMN result_schema     JSON,
  ADD COLUMN change_order      BIGINT NOT NULL DEFAULT 1;
UPDATE tool_copies AS c SET parameters_schema = s.parameters_schema, result_schema = s.result_schema
  FROM tool_schemas AS s WHERE s.tool_id = c.tool_id AND s.version = c.version;
CREATE INDEX tool_copies_by_change ON tool_copies (change_order, tool_id);
COMMENT ON TABLE tool_copies IS 'What decisions and bindings need to know of each tool of the catalogue.';

ALTER TABLE evidence ADD COLUMN failing_account TEXT;
COMMENT ON COLUMN evidence.failing_account IS 'The account of all failures in a row; null where there are none, or of several accounts.';
`;

export const memoryCopiesUndoneSql = `
ALTER TABLE evidence DROP COLUMN failing_account;
ALTER TABLE tool_copies
  DROP COLUMN parameters_schema, DROP COLUMN result_schema, DROP COLUMN change_order;
ALTER TABLE capabilities DROP COLUMN change_order;
`;

export const toolVerificationsSql = `
CREATE TABLE tool_verifications (
  tool_id      TEXT        PRIMARY KEY CHECK (char_length(tool_id) BETWEEN 1 AND 200),
  recorded_at  TIMESTAMPTZ NOT NULL,
  verdict      JSONB       NOT NULL,
  change_order BIGINT      NOT NULL DEFAULT 0
);
CREATE INDEX tool_verifications_by_change ON tool_verifications (change_order, tool_id);
COMMENT ON TABLE tool_verifications IS 'The last verdict of the registry about each tool.';
`;

export const toolTermsSql = `
ALTER TABLE tool_copies ADD COLUMN terms JSONB;
COMMENT ON COLUMN tool_copies.terms IS 'What the publisher says about the use of results; null where it says nothing.';
`;
