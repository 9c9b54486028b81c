import type { SecurityEntry } from './entry.js';

/** Columns of `security_log AS e`, and of what is kept beside it `AS d`. */
export const entryColumns = `
e.entry_id AS "entryId", e.chain, e.entry_seq::int AS "entrySeq", e.action, e.account_id AS "accountId",
e.actor_type AS "actorType", e.actor_account_id AS "actorAccountId", e.actor_api_key_id AS "actorApiKeyId",
e.actor_client_id AS "actorClientId", e.credential_type AS "credentialType", e.object_type AS "objectType",
e.object_id AS "objectId", e.reason, e.occurrences, e.request_id AS "requestId", e.details_hash AS "detailsHash",
e.recorded_at AS "recordedAt", e.previous_hash AS "previousHash", e.hash, e.position::text, d.salt, d.details`;

export const entryTables = 'security_log e LEFT JOIN security_log_details d ON d.entry_id = e.entry_id';

export interface StoredEntryRow extends Omit<SecurityEntry, 'recordedAt'> {
  readonly recordedAt: Date;
  readonly hash: string;
  readonly position: string;
  /** Null, like the details, where there were none or they were erased. */
  readonly salt: string | null;
  readonly details: Readonly<Record<string, string>> | null;
}

/** The members over which the hash was made, as they stand in the row now. */
export function hashedMembers(row: StoredEntryRow): SecurityEntry {
  const { hash: _hash, position: _position, salt: _salt, details: _details, recordedAt, ...members } = row;
  return { ...members, recordedAt: recordedAt.toISOString() };
}
