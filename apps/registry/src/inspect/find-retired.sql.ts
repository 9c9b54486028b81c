import type pg from 'pg';

/** Those of `toolIds` that were published once and are not any more. */
export async function findRetired(pool: pg.Pool, toolIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ tool_id: string }>(
    `SELECT tool_id FROM tools WHERE tool_id = ANY($1) AND status = 'retired'`,
    [toolIds],
  );
  return new Set(rows.map((row) => row.tool_id));
}
