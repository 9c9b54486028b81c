import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';

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
      SELECT ${key} FROM ${table} WHERE ${age} < $1 ORDER BY ${age} LIMIT $2 FOR UPDATE SKIP LOCKED)`;
  return repeatWhileFull(async (limit) => (await pool.query(sql, [before, limit])).rowCount ?? 0);
}
