import type { Queryable } from '@capability-router/event-store';
import type { KeyRecord } from './api-key.js';
import { keyRecordSql } from './find-key-by-hash.sql.js';

const statement = { name: 'find-key-by-id', text: `${keyRecordSql} WHERE k.api_key_id = $1` };

/** The key that something else depends on. */
export async function findKeyById(db: Queryable, apiKeyId: string): Promise<KeyRecord | undefined> {
  return (await db.query<KeyRecord>({ ...statement, values: [apiKeyId] })).rows[0];
}
