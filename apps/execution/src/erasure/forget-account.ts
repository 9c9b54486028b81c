import type { AccountId } from '@capability-router/kernel';
import type pg from 'pg';
import type { KeptResults } from '../result-shaping/store/kept-results.js';

/** Rows of one statement, so that no transaction lasts. */
const MAX_ROWS_PER_STATEMENT = 1_000;
/** Statements for one account in one round; what is left waits for the next look. */
const MAX_STATEMENTS = 2_000;

const forgetPayloadsSql = `
DELETE FROM execution_payloads WHERE usage_event_id IN (
  SELECT usage_event_id FROM execution_payloads WHERE account_id = $1 LIMIT ${MAX_ROWS_PER_STATEMENT})`;

/** A key whose answer is still to come stands until the next look, so that the answer is found by it. */
const forgetAnswersSql = `
WITH gone AS (
  DELETE FROM idempotency_keys WHERE (account_id, route, key) IN (
    SELECT k.account_id, k.route, k.key FROM idempotency_keys k JOIN idempotent_answers a USING (execution_id)
     WHERE k.account_id = $1 LIMIT ${MAX_ROWS_PER_STATEMENT})
  RETURNING execution_id
), answers AS (
  DELETE FROM idempotent_answers WHERE execution_id IN (SELECT execution_id FROM gone)
)
SELECT FROM gone`;

/** Removes what callers sent and what tools answered, full results too. Resolves to the rows and results removed. */
export async function forgetAccount(
  pool: pg.Pool,
  results: Pick<KeptResults, 'removeAccount'>,
  accountId: string,
): Promise<number> {
  const removeRows = (sql: string): Promise<number> =>
    repeatWhileFull(async () => (await pool.query(sql, [accountId])).rowCount ?? 0);
  const payloads = await removeRows(forgetPayloadsSql);
  const answers = await removeRows(forgetAnswersSql);
  return payloads + answers + (await results.removeAccount(accountId as AccountId));
}

async function repeatWhileFull(removeSome: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let statement = 0; statement < MAX_STATEMENTS; statement += 1) {
    const rows = await removeSome();
    removed += rows;
    if (rows < MAX_ROWS_PER_STATEMENT) break;
  }
  return removed;
}
