import type pg from 'pg';
import { USAGE_AUDIT_VERSION } from '../domain/usage-row.js';

export const USAGE_AUDIT = 'usage-audit';

/**
 * The table beside the live one, with its columns, indexes, partitions and privileges. The triggers come last: whoever
 * wrote before has committed when they stand, whoever writes after is logged.
 */
const createSql = `
DO $$
DECLARE
  r RECORD;
BEGIN
  CREATE TABLE usage_events_next (
    LIKE usage_events INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS INCLUDING STORAGE
  ) PARTITION BY RANGE (id);
  ALTER TABLE usage_events_next ADD CONSTRAINT usage_events_pkey_next PRIMARY KEY (id);
  FOR r IN
    SELECT c.relname AS name, pg_get_indexdef(c.oid) AS def FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
     WHERE x.indrelid = 'usage_events'::regclass AND NOT x.indisprimary
  LOOP
    IF r.def !~ '^CREATE INDEX ' THEN
      RAISE EXCEPTION 'a rebuild does not know how to make the index %', r.name;
    END IF;
    EXECUTE format('CREATE INDEX %I ON usage_events_next ', r.name || '_next') || substring(r.def FROM ' (USING .*)$');
  END LOOP;
  FOR r IN
    SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'usage_events'::regclass
  LOOP
    PERFORM create_partition('usage_events_next', 'usage_events_next' || substr(r.name, length('usage_events') + 1), r.bound);
    -- It would read again and again what grows, and the switch would wait for it.
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', 'usage_events_next' || substr(r.name, length('usage_events') + 1));
  END LOOP;
  FOR r IN
    SELECT a.privilege_type AS privilege, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
      FROM pg_class c, aclexplode(c.relacl) AS a WHERE c.oid = 'usage_events'::regclass AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON usage_events_next TO %s', r.privilege, r.grantee);
  END LOOP;
  TRUNCATE usage_event_changes;
  CREATE TRIGGER usage_events_log_insert AFTER INSERT ON usage_events REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_usage_event_changes();
  CREATE TRIGGER usage_events_log_update AFTER UPDATE ON usage_events REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_usage_event_changes();
  INSERT INTO projection_rebuilds (projection, version, started_at) VALUES ('${USAGE_AUDIT}', ${USAGE_AUDIT_VERSION}, now());
END $$`;

const discardSql = `
DROP TRIGGER IF EXISTS usage_events_log_insert ON usage_events;
DROP TRIGGER IF EXISTS usage_events_log_update ON usage_events;
DROP TABLE IF EXISTS usage_events_next;
TRUNCATE usage_event_changes;
DELETE FROM projection_rebuilds WHERE projection = '${USAGE_AUDIT}'`;

/** Names only: what was beside becomes live, and no row is touched. The live table must be locked. */
const switchSql = `
DO $$
DECLARE
  r RECORD;
BEGIN
  FOR r IN
    SELECT c.relname AS name, i.inhparent = 'usage_events'::regclass AS live FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent IN ('usage_events'::regclass, 'usage_events_next'::regclass) ORDER BY 2 DESC
  LOOP
    IF r.live THEN
      EXECUTE format('ALTER TABLE %I RENAME TO %I', r.name, 'usage_events_old' || substr(r.name, length('usage_events') + 1));
    ELSE
      EXECUTE format('ALTER TABLE %I RESET (autovacuum_enabled)', r.name);
      EXECUTE format('ALTER TABLE %I RENAME TO %I', r.name, 'usage_events' || substr(r.name, length('usage_events_next') + 1));
    END IF;
  END LOOP;
  ALTER TABLE usage_events RENAME TO usage_events_old;
  ALTER TABLE usage_events_next RENAME TO usage_events;
  FOR r IN
    SELECT c.relname AS name FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid WHERE x.indrelid = 'usage_events_old'::regclass
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', r.name, r.name || '_old');
    IF to_regclass(r.name || '_next') IS NOT NULL THEN
      EXECUTE format('ALTER INDEX %I RENAME TO %I', r.name || '_next', r.name);
    END IF;
  END LOOP;
  INSERT INTO projections (projection, version, switched_at) VALUES ('${USAGE_AUDIT}', ${USAGE_AUDIT_VERSION}, now())
    ON CONFLICT (projection) DO UPDATE SET version = EXCLUDED.version, switched_at = EXCLUDED.switched_at;
  DELETE FROM projection_rebuilds WHERE projection = '${USAGE_AUDIT}';
END $$`;

export interface RebuildState {
  readonly version: number;
  readonly afterEvent: string | null;
  readonly facts: number;
  /** Rows that no fact explains and that were taken over as they are. */
  readonly kept: number;
}

/** The rebuild that was begun and has not been switched to. */
export async function readRebuild(owner: pg.Pool | pg.PoolClient): Promise<RebuildState | undefined> {
  const { rows } = await owner.query<{ version: number; after_event: string | null; facts: string; kept: string }>(
    'SELECT version, after_event, facts, kept FROM projection_rebuilds WHERE projection = $1',
    [USAGE_AUDIT],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return { version: row.version, afterEvent: row.after_event, facts: Number(row.facts), kept: Number(row.kept) };
}

export const createBeside = (tx: pg.PoolClient): Promise<unknown> => tx.query(createSql);
export const discardBeside = (tx: pg.PoolClient): Promise<unknown> => tx.query(discardSql);
export const switchTables = (tx: pg.PoolClient): Promise<unknown> => tx.query(switchSql);
/** Drops the table that was live before the last switch. */
export const dropReplaced = (tx: pg.PoolClient): Promise<unknown> => tx.query('DROP TABLE IF EXISTS usage_events_old');
/** Months for which the live table was given partitions meanwhile. */
export const followPartitions = (owner: pg.Pool): Promise<pg.QueryResult<{ added: boolean }>> =>
  owner.query(
    `SELECT extend_partitions('usage_events_next', live.until) AS added
       FROM (SELECT partitions_cover_until('usage_events') AS until) AS live
      WHERE partitions_cover_until('usage_events_next') < live.until`,
  );
