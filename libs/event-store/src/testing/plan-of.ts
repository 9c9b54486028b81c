import type { Queryable } from '../queryable.js';

/** How PostgreSQL would run a statement: the lines of `EXPLAIN`. */
export async function planOf(db: Queryable, sql: string, values: readonly unknown[] = []): Promise<string> {
  const { rows } = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...values]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
