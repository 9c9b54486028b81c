import type pg from 'pg';

/** Names that people gave their keys. */
const forgetLabelsSql = `
DELETE FROM api_key_labels WHERE api_key_id IN (
  SELECT api_key_id FROM api_key_labels WHERE account_id = $1 LIMIT $2)`;

/**
 * Blanks the texts that a caller or a provider wrote into an audit row: session, model, messages, and ids that name
 * nothing of ours. Who was charged how much for which tool, and when, stays.
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
    LIMIT $2)`;

/** Blanks the notes that operators wrote beside commands; the commands stay. */
const forgetNotesSql = `
UPDATE admin_commands SET note = NULL WHERE idempotency_key IN (
  SELECT idempotency_key FROM admin_commands WHERE account_id = $1 AND note IS NOT NULL LIMIT $2)`;

const forgetting =
  (sql: string) =>
  /** @returns rows that it changed: fewer than `limit` where nothing is left */
  async (pool: pg.Pool, accountId: string, limit: number): Promise<number> =>
    (await pool.query(sql, [accountId, limit])).rowCount ?? 0;

export const forgetLabels = forgetting(forgetLabelsSql);
export const forgetTexts = forgetting(forgetTextsSql);
export const forgetNotes = forgetting(forgetNotesSql);
