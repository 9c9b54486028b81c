import type pg from 'pg';

export async function forgetPayloads(pool: pg.Pool, accountId: string, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM discovery_payloads WHERE usage_event_id IN (
       SELECT usage_event_id FROM discovery_payloads WHERE account_id = $1 LIMIT $2)`,
    [accountId, limit],
  );
  return rowCount ?? 0;
}

/** Removes which tools the searches of an account showed, at most `limit` rows. Resolves to the rows removed. */
export async function forgetResults(pool: pg.Pool, accountId: string, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM search_results WHERE search_id IN (SELECT search_id FROM search_results WHERE account_id = $1 LIMIT $2)`,
    [accountId, limit],
  );
  return rowCount ?? 0;
}

const forgetUsesSql = `
WITH gone AS (
  DELETE FROM feedback_uses WHERE (account_id, tool_id, used_on) IN (
    SELECT account_id, tool_id, used_on FROM feedback_uses WHERE account_id = $1 LIMIT $2)
  RETURNING tool_id
), marked AS (
  UPDATE tool_feedback f SET computed_on = '-infinity' FROM (
    SELECT tool_id FROM tool_feedback WHERE tool_id IN (SELECT tool_id FROM gone) ORDER BY tool_id FOR UPDATE) touched
   WHERE f.tool_id = touched.tool_id
)
SELECT count(*)::int AS removed FROM gone`;

/** The tools that lose a use are computed again. */
export async function forgetUses(pool: pg.Pool, accountId: string, limit: number): Promise<number> {
  const { rows } = await pool.query<{ removed: number }>(forgetUsesSql, [accountId, limit]);
  return rows[0]?.removed ?? 0;
}
