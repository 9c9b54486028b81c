import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Partitions go by the ids themselves: the first 48 bits of a UUID of version 7 are its milliseconds, and the id of a
 * ledger entry is such a UUID. So the primary key stays what it was, one partition is read for an id, and
 * `ON CONFLICT` needs nothing else.
 */
const functionsSql = `
CREATE FUNCTION partition_bound(parent regclass, at TIMESTAMPTZ) RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT CASE a.atttypid WHEN 'uuid'::regtype THEN rpad(t.hex, 32, '0')::uuid::text ELSE 'led_' || t.hex END
    FROM pg_partitioned_table p
    JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0],
         lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') AS t (hex)
   WHERE p.partrelid = parent
$$;

CREATE FUNCTION time_of_id(id TEXT) RETURNS TIMESTAMPTZ LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(('x' || left(translate(regexp_replace(id, '^led_', ''), '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- Partitions stand without gaps, so the greatest bound is what they cover; NULL where there is none.
CREATE FUNCTION partitions_cover_until(parent regclass) RETURNS TIMESTAMPTZ LANGUAGE sql STABLE AS $$
  SELECT max(time_of_id(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']+)''\\)')))
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = parent
$$;

CREATE FUNCTION create_partition(parent TEXT, name TEXT, bounds TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  fillfactor INTEGER := CASE WHEN parent LIKE 'usage\\_events%' THEN 80 ELSE 100 END;
BEGIN
  EXECUTE format(
    'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS INCLUDING STORAGE) WITH (fillfactor = %s)',
    name, parent, fillfactor);
  PERFORM protect_partition(parent, name);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', parent, name, bounds);
END $$;

-- What a partition does not have from its parent. Rows are written through the parent alone.
CREATE FUNCTION protect_partition(parent TEXT, name TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  role TEXT;
BEGIN
  IF parent = 'ledger_entries' THEN
    EXECUTE format('CREATE UNIQUE INDEX IF NOT EXISTS %I ON %I (account_id, entry_seq)', name || '_dense', name);
    EXECUTE format('CREATE TRIGGER ledger_entries_never_truncated BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
  END IF;
  FOR role IN
    SELECT DISTINCT acl.grantee::regrole::text FROM pg_class c, aclexplode(c.relacl) AS acl
     WHERE c.oid = name::regclass AND acl.grantee NOT IN (0, c.relowner)
  LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON %I FROM %s', name, role);
  END LOOP;
END $$;

-- Adds one month after what is covered, or makes a partition of the default one where rows have got into it; false where
-- nothing is to be done. Runs as the owner, so that the application needs no right to create tables.
CREATE FUNCTION extend_partitions(parent TEXT, until TIMESTAMPTZ) RETURNS BOOLEAN
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '1s' AS $$
DECLARE
  catch_all TEXT := parent || '_default';
  covered TIMESTAMPTZ;
  ends TIMESTAMPTZ;
  name TEXT;
  stray TEXT;
BEGIN
  IF parent NOT IN ('usage_events', 'usage_facts', 'ledger_entries', 'usage_events_next')
     OR until > now() + interval '2 years' THEN
    RAISE EXCEPTION 'no partitions of % until %', parent, until USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('extend_partitions'), parent::regclass::oid::int);
  covered := partitions_cover_until(parent::regclass);
  name := parent || to_char(covered, '"_y"YYYY"m"MM');
  EXECUTE format('SELECT %1$I::text FROM %2$I ORDER BY %1$I DESC LIMIT 1', partition_key(parent::regclass), catch_all) INTO stray;
  IF stray IS NOT NULL THEN
    ends := date_trunc('month', time_of_id(stray)) + interval '1 month';
    IF ends > now() + interval '2 years' THEN
      RAISE EXCEPTION 'the id % in % is of the far future: its row must be looked at', stray, catch_all;
    END IF;
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, catch_all);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', catch_all, name);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      parent, name, partition_bound(parent::regclass, covered), partition_bound(parent::regclass, ends));
    PERFORM create_partition(parent, catch_all, 'DEFAULT');
    RETURN true;
  END IF;
  IF covered >= until THEN
    RETURN false;
  END IF;
  PERFORM create_partition(parent, name, format('FOR VALUES FROM (%L) TO (%L)',
    partition_bound(parent::regclass, covered), partition_bound(parent::regclass, covered + interval '1 month')));
  RETURN true;
END $$;

CREATE FUNCTION partition_key(parent regclass) RETURNS NAME LANGUAGE sql STABLE AS $$
  SELECT a.attname FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
   WHERE p.partrelid = parent
$$;

REVOKE EXECUTE ON FUNCTION extend_partitions(TEXT, TIMESTAMPTZ) FROM PUBLIC;
DO $$
DECLARE
  role TEXT := current_setting('capability_router.application_role', true);
BEGIN
  IF COALESCE(role, '') <> '' THEN
    EXECUTE format('GRANT EXECUTE ON FUNCTION extend_partitions(TEXT, TIMESTAMPTZ) TO %I', role);
  END IF;
END $$;
`;

interface Partitioned {
  readonly table: string;
  readonly key: string;
  /** From the milliseconds as 12 hex digits. */
  readonly bound: string;
  /** Indexes of the table of before, which take the name of the first partition. */
  readonly indexes: readonly string[];
  /** On the new parent; those of the first partition that match become parts of them. */
  readonly indexSql: string;
}

const tables: readonly Partitioned[] = [
  {
    table: 'usage_events',
    key: 'id',
    bound: `rpad(hex, 32, '0')::uuid::text`,
    indexes: ['usage_events_pkey', 'usage_events_newest_first', 'usage_events_by_execution', 'usage_events_by_search'],
    indexSql: `
ALTER TABLE usage_events ADD CONSTRAINT usage_events_pkey PRIMARY KEY (id);
CREATE INDEX usage_events_newest_first ON usage_events (account_id, effective_at DESC, id DESC) WHERE recorded;
CREATE INDEX usage_events_by_execution ON usage_events (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX usage_events_by_search ON usage_events (account_id, search_id) WHERE search_id IS NOT NULL;`,
  },
  {
    table: 'usage_facts',
    key: 'event_id',
    bound: `rpad(hex, 32, '0')::uuid::text`,
    indexes: ['usage_facts_pkey'],
    indexSql: 'ALTER TABLE usage_facts ADD CONSTRAINT usage_facts_pkey PRIMARY KEY (event_id);',
  },
  {
    table: 'ledger_entries',
    key: 'entry_id',
    bound: `'led_' || hex`,
    indexes: [
      'ledger_entries_pkey',
      'ledger_entries_dense',
      'ledger_entries_in_commit_order',
      'ledger_entries_by_execution',
    ],
    // That (account_id, entry_seq) is unique over all partitions is for the heads to see to: see the ADR.
    indexSql: `
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (entry_id);
CREATE INDEX ledger_entries_in_commit_order ON ledger_entries (tx_order, position);
CREATE INDEX ledger_entries_by_execution ON ledger_entries (execution_id) WHERE execution_id IS NOT NULL;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_never_truncated BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`,
  },
];

/** An identity column cannot be shared by partitions in every version of PostgreSQL; a sequence can. */
const sequenceSql = `
DO $$
DECLARE
  identity TEXT := pg_get_serial_sequence('ledger_entries', 'position');
  next BIGINT;
BEGIN
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'ledger_entries'::regclass AND attname = 'position' AND attidentity <> '') THEN
    LOCK TABLE ledger_entries IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM %s', identity) INTO next;
    ALTER TABLE ledger_entries ALTER COLUMN position DROP IDENTITY;
    CREATE SEQUENCE ledger_entry_position AS BIGINT;
    PERFORM setval('ledger_entry_position', next, false);
    ALTER TABLE ledger_entries ALTER COLUMN position SET DEFAULT nextval('ledger_entry_position');
    ALTER SEQUENCE ledger_entry_position OWNED BY NONE;
  END IF;
END $$`;

/** Bounds the rows that are there, and those that are written until the switch: by the end of next month at least. */
const boundSql = ({ table, key, bound }: Partitioned): string => `
SET LOCAL lock_timeout = '5s';
SET LOCAL timezone = 'UTC';
DO $do$
DECLARE
  newest TEXT;
  until TIMESTAMPTZ := date_trunc('month', now()) + interval '2 months';
  hex TEXT;
  ceiling TEXT;
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = '${table}'::regclass AND relkind = 'p')
     OR EXISTS (SELECT FROM pg_constraint WHERE conrelid = '${table}'::regclass AND conname = '${table}_first_bound') THEN
    RETURN;
  END IF;
  SELECT ${key}::text INTO newest FROM ${table} ORDER BY ${key} DESC LIMIT 1;
  IF newest IS NOT NULL THEN
    until := greatest(until, date_trunc('month', time_of_id(newest)) + interval '1 month');
  END IF;
  IF until > now() + interval '2 years' THEN
    RAISE EXCEPTION 'the id % in ${table} is of the far future: its row must be looked at', newest;
  END IF;
  hex := lpad(to_hex(floor(extract(epoch FROM until) * 1000)::bigint), 12, '0');
  ceiling := ${bound};
  EXECUTE format('ALTER TABLE ${table} ADD CONSTRAINT ${table}_first_bound CHECK (${key} < %L) NOT VALID', ceiling);
END $do$`;

/** Reads the whole table once; nobody waits for it to write or read. */
const validateSql = ({ table }: Partitioned): string => `
DO $do$
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = '${table}'::regclass AND relkind = 'r') THEN
    ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_first_bound;
  END IF;
END $do$`;

/** The table of before becomes the first partition as it is; its bound is proven, so no row is read. */
const switchSql = ({ table, key, indexes, indexSql }: Partitioned): string => `
SET LOCAL lock_timeout = '5s';
DO $do$
DECLARE
  ceiling TEXT;
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = '${table}'::regclass AND relkind = 'p') THEN
    RETURN;
  END IF;
  LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE;
  SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') INTO ceiling FROM pg_constraint
   WHERE conrelid = '${table}'::regclass AND conname = '${table}_first_bound';
  ALTER TABLE ${table} RENAME TO ${table}_first;
  ${indexes.map((index) => `ALTER INDEX ${index} RENAME TO ${index.replace(table, `${table}_first`)};`).join('\n  ')}
  CREATE TABLE ${table} (
    LIKE ${table}_first INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS INCLUDING STORAGE
  ) PARTITION BY RANGE (${key});
  ALTER TABLE ${table} DROP CONSTRAINT ${table}_first_bound;
  DROP TRIGGER IF EXISTS ledger_entries_append_only ON ${table}_first;
  DROP TRIGGER IF EXISTS ledger_entries_never_truncated ON ${table}_first;
  ${indexSql}
  EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION ${table}_first FOR VALUES FROM (MINVALUE) TO (%L)', ceiling);
  ALTER TABLE ${table}_first DROP CONSTRAINT ${table}_first_bound;
  PERFORM protect_partition('${table}', '${table}_first');
  PERFORM create_partition('${table}', '${table}_default', 'DEFAULT');
END $do$`;

/**
 * Audit, facts and ledger by month. What is there stays where it is and becomes the first partition; months after it are
 * added by the partition job. Each step is a short transaction of its own that is left out where it was done, so a run
 * that could not get a lock is simply repeated, and replicas of before work on.
 */
export class Partitions1763700000005 implements MigrationInterface {
  readonly name = 'Partitions1763700000005';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION IF EXISTS partition_bound, time_of_id, partitions_cover_until, create_partition, protect_partition,
        extend_partitions, partition_key;
      ${functionsSql}`);
    await runner.query(`SET LOCAL lock_timeout = '5s'; ${sequenceSql}`);
    for (const table of tables) {
      await runner.query(boundSql(table));
      await runner.query(validateSql(table));
      await runner.query(switchSql(table));
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('the ledger is never copied back by a migration'));
  }
}
