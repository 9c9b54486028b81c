import type { Queryable } from '@capability-router/event-store';
import type { KeyRecord } from './api-key.js';
import { keyRecordSql } from './find-key-by-hash.sql.js';

const statement = { name: 'find-key-by-id', text: `${keyRecordSql} WHERE k.api_key_id = $1` };

const shared = { name: 'share-key-by-id', text: `${statement.text} FOR SHARE OF k` };

/** The key that something else depends on. */
export async function findKeyById(db: Queryable, apiKeyId: string): Promise<KeyRecord | undefined> {
  return (await db.query<KeyRecord>({ ...statement, values: [apiKeyId] })).rows[0];
}

/** As `findKeyById`; nobody revokes or changes the key until the caller's transaction has ended. */
export async function shareKeyById(tx: Queryable, apiKeyId: string): Promise<KeyRecord | undefined> {
  return (await tx.query<KeyRecord>({ ...shared, values: [apiKeyId] })).rows[0];
}

// In the order of their ids, as uses are recorded: whoever locks several keys waits for the others, and none for each other.
const lockSql = 'SELECT FROM api_keys WHERE api_key_id = ANY($1::uuid[]) ORDER BY api_key_id FOR NO KEY UPDATE';

/** As `shareKeyById` for several keys, which the caller's transaction may change. */
export async function lockKeys(tx: Queryable, apiKeyIds: readonly string[]): Promise<void> {
  await tx.query(lockSql, [apiKeyIds]);
}
