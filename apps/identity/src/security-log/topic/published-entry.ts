import type { SecurityLogEntryRecorded } from '@capability-router/contracts';
import { hashEntry, type SecurityEntry } from '../chain/entry.js';
import { hashedMembers, type StoredEntryRow } from '../chain/stored-entry.sql.js';

type Optional<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

/** The record of an entry: its members, without those that are null. */
export function recordOf(row: StoredEntryRow): SecurityLogEntryRecorded {
  const { entryId, chain, entrySeq, action, actorType, occurrences, recordedAt, previousHash, ...rest } =
    hashedMembers(row);
  return {
    ...{ entryId, chain, entrySeq, action, actorType },
    ...present(rest),
    ...{ occurrences, recordedAt, previousHash, hash: row.hash },
  };
}

function present<T extends object>(members: T): Optional<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Optional<T>;
}

/** Whether the hash of a record is that of its members. A member that a later build adds is no part of it. */
export function isAsHashed(record: SecurityLogEntryRecorded): boolean {
  const entry: SecurityEntry = {
    entryId: record.entryId,
    chain: record.chain,
    entrySeq: record.entrySeq,
    action: record.action,
    accountId: record.accountId ?? null,
    actorType: record.actorType,
    actorAccountId: record.actorAccountId ?? null,
    actorApiKeyId: record.actorApiKeyId ?? null,
    actorClientId: record.actorClientId ?? null,
    credentialType: record.credentialType ?? null,
    objectType: record.objectType ?? null,
    objectId: record.objectId ?? null,
    reason: record.reason ?? null,
    occurrences: record.occurrences,
    requestId: record.requestId ?? null,
    detailsHash: record.detailsHash ?? null,
    recordedAt: record.recordedAt,
    previousHash: record.previousHash,
  };
  return hashEntry(entry) === record.hash;
}
