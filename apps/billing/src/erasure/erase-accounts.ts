import type { Clock } from '@capability-router/kernel';
import { eraseDueAccounts } from '@capability-router/service-kit';
import type pg from 'pg';

/** Rows of one statement, so that no transaction lasts. */
const MAX_ROWS_PER_STATEMENT = 1_000;
/** Statements for one account in one round; what is left waits for the next look. */
const MAX_STATEMENTS = 2_000;
/** Milliseconds between two looks. */
const LOOK_AGAIN_AFTER_MS = 6 * 3_600_000;
/** Milliseconds: longer than the topics keep events, of which a parked one may be replayed as late as that. */
const SETTLED_AFTER_MS = 31 * 86_400_000;

/** Names that people gave their keys. */
const forgetLabelsSql = `
DELETE FROM api_key_labels WHERE api_key_id IN (
  SELECT api_key_id FROM api_key_labels WHERE account_id = $1 LIMIT ${MAX_ROWS_PER_STATEMENT})`;

/**
 * What a caller or a provider wrote into an audit row: session, model, messages, and ids that name nothing of ours. Who
 * was charged how much for which tool, and when, stays.
 */
const forgetTextsSql = `
UPDATE usage_events SET session_id = NULL, model = NULL, error_message = NULL, user_message = NULL,
       search_id = CASE WHEN search_id ~ '^srch_[0-9a-f]{32}$' THEN search_id END,
       tool_id = CASE WHEN provider_id IS NOT NULL THEN tool_id END
 WHERE id IN (
   SELECT id FROM usage_events
    WHERE account_id = $1 AND recorded
      AND (session_id IS NOT NULL OR model IS NOT NULL OR error_message IS NOT NULL OR user_message IS NOT NULL
           OR search_id !~ '^srch_[0-9a-f]{32}$' OR (tool_id IS NOT NULL AND provider_id IS NULL))
    LIMIT ${MAX_ROWS_PER_STATEMENT})`;

/** What operators wrote beside commands; the commands stay. */
const forgetNotesSql = `
UPDATE admin_commands SET note = NULL WHERE idempotency_key IN (
  SELECT idempotency_key FROM admin_commands WHERE account_id = $1 AND note IS NOT NULL LIMIT ${MAX_ROWS_PER_STATEMENT})`;

/** Blanks the audit of every account that is due. The ledger holds no text of a person and stays as it is. */
export function eraseAccounts(pool: pg.Pool, clock: Clock): Promise<number> {
  return eraseDueAccounts(
    pool,
    clock,
    async (accountId) =>
      (await repeatWhileFull(pool, forgetLabelsSql, accountId)) +
      (await repeatWhileFull(pool, forgetNotesSql, accountId)) +
      (await repeatWhileFull(pool, forgetTextsSql, accountId)),
    { lookAgainAfterMs: LOOK_AGAIN_AFTER_MS, settledAfterMs: SETTLED_AFTER_MS },
  );
}

async function repeatWhileFull(pool: pg.Pool, sql: string, accountId: string): Promise<number> {
  let changed = 0;
  for (let statement = 0; statement < MAX_STATEMENTS; statement += 1) {
    const rows = (await pool.query(sql, [accountId])).rowCount ?? 0;
    changed += rows;
    if (rows < MAX_ROWS_PER_STATEMENT) break;
  }
  return changed;
}
