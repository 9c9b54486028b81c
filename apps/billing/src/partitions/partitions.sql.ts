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
  /** Rows in the default partition for which there should be one of their month; any is an alarm. */
  readonly strayRows: number;
  /** Rows in the default partition whose month was detached. They stay there. */
  readonly lateRows: number;
}

/** More of one kind are not told apart: it is looked at with every scrape. */
const MAX_COUNTED_ROWS = 10_000;

/** By which each table is partitioned. */
const keys: Readonly<Record<PartitionedTable, { readonly name: string; readonly type: string }>> = {
  usage_events: { name: 'id', type: 'uuid' },
  usage_facts: { name: 'event_id', type: 'uuid' },
  ledger_entries: { name: 'entry_id', type: 'text' },
};

const countSql = (table: PartitionedTable, side: '<' | '>='): string =>
  `(SELECT count(*)::int FROM (SELECT FROM ${table}_default WHERE ${keys[table].name} ${side} covered.bound LIMIT ${MAX_COUNTED_ROWS}) AS found)`;

const stateSql = partitionedTables
  .map(
    (table) => `
SELECT '${table}' AS table, covered.until AS covered_until,
       ${countSql(table, '>=')} AS stray_rows,
       ${countSql(table, '<')} AS late_rows
  FROM (SELECT until, partition_bound('${table}', until)::${keys[table].type} AS bound
          FROM partitions_cover_until('${table}') AS until) AS covered`,
  )
  .join(' UNION ALL ');

export async function readPartitions(pool: pg.Pool): Promise<PartitionState[]> {
  interface Row {
    readonly table: PartitionedTable;
    readonly covered_until: Date;
    readonly stray_rows: number;
    readonly late_rows: number;
  }
  const { rows } = await pool.query<Row>(stateSql);
  return rows.map((row) => ({
    table: row.table,
    coveredUntil: row.covered_until,
    strayRows: row.stray_rows,
    lateRows: row.late_rows,
  }));
}
