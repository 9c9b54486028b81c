import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';

/** The tables that are partitioned by month. */
export const partitionedTables = ['usage_events', 'usage_facts', 'ledger_entries'] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** Months after the current one that have their partitions. */
export const MONTHS_AHEAD = 3;
/** Partitions that one round adds to one table: more than two years are refused by the database. */
const MAX_PARTITIONS_PER_ROUND = 30;

/**
 * Adds the partitions of the months to come, and turns a default partition that has rows into one of its own. Each is a
 * transaction of its own that waits for locks for a second at most; what fails is tried again in the next round. Several
 * replicas may do so at once.
 * @returns partitions that were added
 */
export async function keepPartitionsAhead(
  pool: pg.Pool,
  clock: Clock,
  tables: readonly string[] = partitionedTables,
): Promise<number> {
  const until = monthStart(clock.nowMs(), MONTHS_AHEAD + 1);
  let added = 0;
  const failures: unknown[] = [];
  for (const table of tables) {
    try {
      added += await extend(pool, table, until);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not every table has its partitions');
  return added;
}

async function extend(pool: pg.Pool, table: string, until: Date): Promise<number> {
  for (let added = 0; added < MAX_PARTITIONS_PER_ROUND; added += 1) {
    const { rows } = await pool.query<{ added: boolean }>('SELECT extend_partitions($1, $2) AS added', [table, until]);
    if (rows[0]?.added !== true) return added;
  }
  return MAX_PARTITIONS_PER_ROUND;
}

/** Of the month that is so many after the one of `nowMs`, in UTC. */
function monthStart(nowMs: number, monthsLater: number): Date {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsLater, 1));
}

export interface PartitionState {
  readonly table: PartitionedTable;
  /** Ids of before this time have a partition of their month. */
  readonly coveredUntil: Date;
  /** Rows in the default partition, counted up to `MAX_COUNTED_ROWS`; any is an alarm. */
  readonly strayRows: number;
}

/** More are not told apart: it is looked at with every scrape. */
const MAX_COUNTED_ROWS = 10_000;

const stateSql = partitionedTables
  .map(
    (table) => `
SELECT '${table}' AS table, partitions_cover_until('${table}') AS covered_until,
       (SELECT count(*)::int FROM (SELECT FROM ${table}_default LIMIT ${MAX_COUNTED_ROWS}) AS stray) AS stray_rows`,
  )
  .join(' UNION ALL ');

export async function readPartitions(pool: pg.Pool): Promise<PartitionState[]> {
  const { rows } = await pool.query<{ table: PartitionedTable; covered_until: Date; stray_rows: number }>(stateSql);
  return rows.map((row) => ({ table: row.table, coveredUntil: row.covered_until, strayRows: row.stray_rows }));
}
