import type pg from 'pg';
import type { WaitingUses } from './waiting-uses.js';

// The rows are locked in the order of their ids, whatever the plan of the update is.
const sql = `
UPDATE api_keys k SET last_used_at = used.at
  FROM (SELECT api_key_id, waiting.at
          FROM unnest($1::uuid[], $2::timestamptz[]) AS waiting (api_key_id, at) JOIN api_keys l USING (api_key_id)
         WHERE l.last_used_at IS NULL OR l.last_used_at < waiting.at
         ORDER BY api_key_id FOR NO KEY UPDATE OF l) AS used
 WHERE k.api_key_id = used.api_key_id AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`;

export async function recordUses(pool: pg.Pool, { ids, times }: ReturnType<WaitingUses['take']>): Promise<void> {
  if (ids.length > 0) await pool.query(sql, [ids, times]);
}
