import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';

/** $1 account id · $2 rows at most */
const forgetPayloadsSql = `
DELETE FROM execution_payloads WHERE usage_event_id IN (
  SELECT usage_event_id FROM execution_payloads WHERE account_id = $1 LIMIT $2)`;

/**
 * A key whose answer is still to come stands until the next look, so that the answer is found by it.
 *
 * $1 account id · $2 rows at most
 */
const forgetAnswersSql = `
WITH gone AS (
  DELETE FROM idempotency_keys WHERE (account_id, route, key) IN (
    SELECT k.account_id, k.route, k.key FROM idempotency_keys k JOIN idempotent_answers a USING (execution_id)
     WHERE k.account_id = $1 LIMIT $2)
  RETURNING execution_id
), answers AS (
  DELETE FROM idempotent_answers WHERE execution_id IN (SELECT execution_id FROM gone)
)
SELECT FROM gone`;

/** Resolves to the rows removed: payloads, and answers with their keys. */
export async function forgetRowsOf(pool: pg.Pool, accountId: string): Promise<number> {
  const remove = (sql: string): Promise<number> =>
    repeatWhileFull(async (limit) => (await pool.query(sql, [accountId, limit])).rowCount ?? 0);
  return (await remove(forgetPayloadsSql)) + (await remove(forgetAnswersSql));
}
