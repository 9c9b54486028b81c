import { toIso } from '@capability-router/kernel';
import type pg from 'pg';

const markSql = `UPDATE api_keys SET revoked_at = $2 WHERE api_key_id = $1 AND revoked_at IS NULL RETURNING revoked_at`;
const readSql = `SELECT revoked_at FROM api_keys WHERE api_key_id = $1`;

interface Row {
  readonly revoked_at: Date;
}

/** `changed` is false for a key that was revoked before; `revokedAtMs` is then the first time. */
export async function markKeyRevoked(
  tx: pg.ClientBase,
  apiKeyId: string,
  nowMs: number,
): Promise<{ changed: boolean; revokedAtMs: number }> {
  const marked = (await tx.query<Row>(markSql, [apiKeyId, toIso(nowMs)])).rows[0];
  if (marked !== undefined) return { changed: true, revokedAtMs: marked.revoked_at.getTime() };
  const earlier = (await tx.query<Row>(readSql, [apiKeyId])).rows[0];
  if (earlier === undefined) throw new Error(`api key ${apiKeyId} vanished under its account lock`);
  return { changed: false, revokedAtMs: earlier.revoked_at.getTime() };
}
