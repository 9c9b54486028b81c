import { toIso } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';

/** Accounts that one round erases; the next goes on. */
const MAX_ACCOUNTS_PER_ROUND = 20;

/** The time is ours: what the event says may lie days back. */
export async function noteErasures(tx: pg.PoolClient, accountIds: readonly string[], clock: Clock): Promise<void> {
  await tx.query(
    `INSERT INTO erased_accounts (account_id, erased_at, due_at)
     SELECT id, $2::timestamptz, $2::timestamptz FROM unnest($1::text[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
    [accountIds, toIso(clock.nowMs())],
  );
}

/**
 * Accounts that are due. Each is due again later, also when this replica dies in the middle; one that is being erased
 * for the last time is not.
 */
export async function claimErasures(
  pool: pg.Pool,
  times: { readonly now: string; readonly dueAgain: string; readonly settledBefore: string },
): Promise<string[]> {
  const { rows } = await pool.query<{ account_id: string }>(
    `UPDATE erased_accounts e SET due_at = CASE WHEN e.due_at > e.erased_at AND e.erased_at < $3::timestamptz THEN NULL ELSE $2::timestamptz END
       FROM (SELECT account_id FROM erased_accounts WHERE due_at <= $1::timestamptz
              ORDER BY due_at LIMIT ${MAX_ACCOUNTS_PER_ROUND} FOR UPDATE SKIP LOCKED) due
      WHERE e.account_id = due.account_id RETURNING e.account_id`,
    [times.now, times.dueAgain, times.settledBefore],
  );
  return rows.map((row) => row.account_id);
}

export async function forgetPayloads(pool: pg.Pool, accountId: string, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM discovery_payloads WHERE usage_event_id IN (
       SELECT usage_event_id FROM discovery_payloads WHERE account_id = $1 LIMIT $2)`,
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
