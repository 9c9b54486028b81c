import type pg from 'pg';
import type { WaitingUses } from './waiting-uses.js';

const sql = `
UPDATE api_keys k SET last_used_at = used.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS used (api_key_id, at)
 WHERE k.api_key_id = used.api_key_id AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`;

export async function recordUses(pool: pg.Pool, { ids, times }: ReturnType<WaitingUses['take']>): Promise<void> {
  if (ids.length > 0) await pool.query(sql, [ids, times]);
}
