import type pg from 'pg';

/** Rows of one statement, so that none holds back readers of the event store. */
const MAX_ROWS_PER_STATEMENT = 1_000;
/** Statements of one call: an hourly sweep keeps up with 500 new rows a second. What is left waits for the next. */
const MAX_STATEMENTS = 2_000;

/** Names of a table, its key columns and the column that says how old a row is. Never a caller's text. */
export interface AgingTable {
  readonly table: string;
  readonly key: string;
  readonly age: string;
}

/** Removes rows older than `before`, at most two million. SKIP LOCKED lets several replicas share the work. */
export function deleteInSteps(pool: pg.Pool, { table, key, age }: AgingTable, before: string): Promise<number> {
  const sql = `
    DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key} FROM ${table} WHERE ${age} < $1 ORDER BY ${age} LIMIT ${MAX_ROWS_PER_STATEMENT} FOR UPDATE SKIP LOCKED)`;
  return repeatWhileFull(async () => (await pool.query(sql, [before])).rowCount ?? 0);
}

/** As above for whatever statement removes at most `MAX_ROWS_PER_STATEMENT` rows. */
export async function repeatWhileFull(removeSome: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0;
  for (let statement = 0; statement < MAX_STATEMENTS; statement += 1) {
    const rows = await removeSome(MAX_ROWS_PER_STATEMENT);
    removed += rows;
    if (rows < MAX_ROWS_PER_STATEMENT) break;
  }
  return removed;
}
