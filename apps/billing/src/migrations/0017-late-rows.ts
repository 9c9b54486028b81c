import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A row of a month that an operator has detached gets into the default partition, and stays there: a partition of its own
 * would lie below what is covered. So only rows above that are given one. Late rows that lie beside such are moved into the
 * new default partition; the ledger stays attached, and has none.
 */
const functionsSql = `
CREATE OR REPLACE FUNCTION extend_partitions(parent TEXT, until TIMESTAMPTZ) RETURNS BOOLEAN
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '1s' AS $$
DECLARE
  catch_all TEXT := parent || '_default';
  covered TIMESTAMPTZ;
  ends TIMESTAMPTZ;
  bound TEXT;
  name TEXT;
  stray TEXT;
BEGIN
  IF parent NOT IN ('usage_events', 'usage_facts', 'ledger_entries', 'usage_events_next')
     OR until > now() + interval '2 years' THEN
    RAISE EXCEPTION 'no partitions of % until %', parent, until USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('extend_partitions'), parent::regclass::oid::int);
  covered := partitions_cover_until(parent::regclass);
  bound := partition_bound(parent::regclass, covered);
  name := parent || to_char(covered, '"_y"YYYY"m"MM');
  EXECUTE format('SELECT %1$I::text FROM %2$I WHERE %1$I >= %3$L ORDER BY %1$I DESC LIMIT 1',
    partition_key(parent::regclass), catch_all, bound) INTO stray;
  IF stray IS NOT NULL THEN
    ends := date_trunc('month', time_of_id(stray)) + interval '1 month';
    IF ends > now() + interval '2 years' THEN
      RAISE EXCEPTION 'the id % in % is of the far future: its row must be looked at', stray, catch_all;
    END IF;
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, catch_all);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', catch_all, name);
    PERFORM create_partition(parent, catch_all, 'DEFAULT');
    IF parent <> 'ledger_entries' THEN
      PERFORM move_late_rows(parent, name, catch_all, bound);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      parent, name, bound, partition_bound(parent::regclass, ends));
    RETURN true;
  END IF;
  IF covered >= until THEN
    RETURN false;
  END IF;
  PERFORM create_partition(parent, name, format('FOR VALUES FROM (%L) TO (%L)',
    bound, partition_bound(parent::regclass, covered + interval '1 month')));
  RETURN true;
END $$;

-- Rows below the bound, as they are; what the schema makes of their columns it makes again.
CREATE FUNCTION move_late_rows(parent TEXT, source TEXT, target TEXT, bound TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  names TEXT;
BEGIN
  SELECT string_agg(quote_ident(attname), ', ') INTO names FROM pg_attribute
   WHERE attrelid = parent::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
  EXECUTE format('WITH late AS (DELETE FROM %1$I WHERE %2$I < %3$L RETURNING %4$s) INSERT INTO %5$I (%4$s) SELECT %4$s FROM late',
    source, partition_key(parent::regclass), bound, names, target);
END $$;
`;

export class LateRows1763700000017 implements MigrationInterface {
  readonly name = 'LateRows1763700000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(functionsSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('the function of before stops for ever at a late row of a detached month'));
  }
}
