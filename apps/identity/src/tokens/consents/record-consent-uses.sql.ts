import type pg from 'pg';
import type { WaitingUses } from '../../api-keys/waiting-uses.js';

// As the uses of keys are recorded.
const sql = `
UPDATE oauth_families f SET last_used_at = used.at
  FROM (SELECT family_id, waiting.at
          FROM unnest($1::uuid[], $2::timestamptz[]) AS waiting (family_id, at) JOIN oauth_families l USING (family_id)
         WHERE l.last_used_at IS NULL OR l.last_used_at < waiting.at
         ORDER BY family_id FOR NO KEY UPDATE OF l) AS used
 WHERE f.family_id = used.family_id AND (f.last_used_at IS NULL OR f.last_used_at < used.at)`;

export async function recordConsentUses(pool: pg.Pool, { ids, times }: ReturnType<WaitingUses['take']>): Promise<void> {
  if (ids.length > 0) await pool.query(sql, [ids, times]);
}
