import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `usage_event_changes` holds, while the audit is rebuilt, the ids of rows that changed meanwhile; triggers that the
 * rebuild puts on the live table and takes away again fill it, so that nothing is written where no rebuild runs.
 */
const rebuildsSql = `
CREATE TABLE projections (
  projection TEXT PRIMARY KEY,
  version INTEGER NOT NULL CHECK (version > 0),
  switched_at TIMESTAMPTZ NOT NULL
);
INSERT INTO projections VALUES ('usage-audit', 1, now());

CREATE TABLE projection_rebuilds (
  projection TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  started_at TIMESTAMPTZ NOT NULL,
  -- The last fact that was projected, in the order of ids; null before the first.
  after_event UUID,
  facts BIGINT NOT NULL DEFAULT 0,
  kept BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE usage_event_changes (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id UUID NOT NULL
);

CREATE FUNCTION log_usage_event_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_event_changes (id) SELECT id FROM changed;
  RETURN NULL;
END $$;
`;

/** Tables for the rebuild of a projection beside the live one. */
export class ProjectionRebuilds1763700000010 implements MigrationInterface {
  readonly name = 'ProjectionRebuilds1763700000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rebuildsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('a rebuild may be under way'));
  }
}
