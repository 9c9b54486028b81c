import type { Queryable } from '@capability-router/event-store';

/** The ids that break an invariant, at most `limit`. `query` lists all of them, as `id`. */
export async function idsThatBreak(db: Queryable, query: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(`${query} LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}
