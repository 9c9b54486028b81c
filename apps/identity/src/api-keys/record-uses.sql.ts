import type pg from 'pg';

const sql = `
UPDATE api_keys k SET last_used_at = used.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS used (api_key_id, at)
 WHERE k.api_key_id = used.api_key_id AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`;

/** `uses`: milliseconds since the epoch by the id of the key. In the order of the ids, so that replicas do not lock each other. */
export async function recordUses(pool: pg.Pool, uses: ReadonlyMap<string, number>): Promise<void> {
  if (uses.size === 0) return;
  const sorted = [...uses].sort(([one], [other]) => (one < other ? -1 : 1));
  await pool.query(sql, [sorted.map(([apiKeyId]) => apiKeyId), sorted.map(([, atMs]) => new Date(atMs))]);
}
