import type pg from 'pg';

/** The tables that are partitioned by month. */
export const partitionedTables = ['usage_events', 'usage_facts', 'ledger_entries'] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** Adds the next partition of the table before `until`. @returns false where there is nothing left to add */
export async function addPartition(pool: pg.Pool, table: string, until: Date): Promise<boolean> {
  const { rows } = await pool.query<{ added: boolean }>('SELECT extend_partitions($1, $2) AS added', [table, until]);
  return rows[0]?.added === true;
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
