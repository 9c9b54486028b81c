import { horizonSql } from '@capability-router/event-store';
import type pg from 'pg';

/** Where a reader of changes stands: after this row, in the order of changes. */
export interface ChangePosition {
  readonly changeOrder: string;
  readonly key: string;
}

export const beforeAnyChange: ChangePosition = { changeOrder: '0', key: '' };

/** A table whose rows carry `change_order` (see `txOrderSql`), 0 until the row says anything. Never a caller's text. */
export interface ChangedTable {
  readonly table: string;
  readonly key: string;
  readonly columns: readonly string[];
}

interface ChangeColumns {
  readonly change_order: string;
  readonly change_key: string;
}

/**
 * The page first, and then what of it is shown: in the order of changes that is its beginning. With the horizon among the
 * conditions of the page, the planner takes them for so selective, where the table has no statistics, that it reads and
 * sorts all of it for every page. The order names the table: `change_order` alone would be the text of the answer, by
 * which 10 comes before 9, and rows were passed by.
 */
export const changedRowsSql = ({ table, key, columns }: ChangedTable): string => `SELECT * FROM (
    SELECT ${columns.join(', ')}, change_order::text AS change_order, ${key} AS change_key FROM ${table}
     WHERE (change_order, ${key}) > ($1::bigint, $2) AND change_order > 0
     ORDER BY ${table}.change_order, ${key} LIMIT $3
  ) page WHERE page.change_order::bigint < ${horizonSql}
  ORDER BY page.change_order::bigint, page.change_key`;

/**
 * At most `limit` rows that changed after `position`, in the order of commits, and where to go on. A row of an open
 * transaction is not shown yet, so that none is passed by.
 */
export async function readChangedRows<Row extends object>(
  pool: pg.Pool,
  { table, key, columns }: ChangedTable,
  position: ChangePosition,
  limit: number,
): Promise<{ rows: Row[]; position: ChangePosition }> {
  const { rows } = await pool.query<Row & ChangeColumns>(changedRowsSql({ table, key, columns }), [
    position.changeOrder,
    position.key,
    limit,
  ]);
  const last = rows.at(-1);
  return { rows, position: last === undefined ? position : { changeOrder: last.change_order, key: last.change_key } };
}
