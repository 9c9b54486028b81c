import type pg from 'pg';
import type { WaitingUses } from '../../api-keys/waiting-uses.js';

const sql = `
UPDATE oauth_families f SET last_used_at = used.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS used (family_id, at)
 WHERE f.family_id = used.family_id AND (f.last_used_at IS NULL OR f.last_used_at < used.at)`;

export async function recordConsentUses(pool: pg.Pool, { ids, times }: ReturnType<WaitingUses['take']>): Promise<void> {
  if (ids.length > 0) await pool.query(sql, [ids, times]);
}
