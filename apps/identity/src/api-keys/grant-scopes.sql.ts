import type pg from 'pg';

const readSql = `SELECT scopes, narrowed, revoked_at AS "revokedAt" FROM api_keys WHERE api_key_id = $1`;
const writeSql = `UPDATE api_keys SET scopes = $2, narrowed = false WHERE api_key_id = $1`;

export interface ScopesRow {
  readonly scopes: readonly string[];
  readonly narrowed: boolean;
  readonly revokedAt: Date | null;
}

export async function readScopes(tx: pg.ClientBase, apiKeyId: string): Promise<ScopesRow | undefined> {
  return (await tx.query<ScopesRow>(readSql, [apiKeyId])).rows[0];
}

/** Somebody has decided about the key: it is not listed as narrowed any more. */
export async function writeScopes(tx: pg.ClientBase, apiKeyId: string, scopes: readonly string[]): Promise<void> {
  await tx.query(writeSql, [apiKeyId, scopes]);
}
