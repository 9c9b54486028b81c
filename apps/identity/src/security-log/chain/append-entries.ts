import { randomBytes } from 'node:crypto';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { insertEntries, knownEntries, lockHead } from './append-entries.sql.js';
import { chainOf, hashDetails, hashEntry, type SecurityEntry, type SecurityFact } from './entry.js';

const SALT_BYTES = 16;

/**
 * Appends facts of one chain in their order, in the caller's transaction. Others wait for the end of the chain until that
 * transaction ends, so that no two entries follow the same one.
 * @param nowMs time of the database, milliseconds
 * @param sent `again`: the log may have some of the facts, by their ids, and these are left out
 */
export async function appendEntries(
  tx: pg.ClientBase,
  facts: readonly SecurityFact[],
  nowMs: number,
  sent: 'once' | 'again' = 'once',
): Promise<void> {
  const [first] = facts;
  if (first === undefined) return;
  const chain = chainOf(first);
  let { entrySeq, lastHash } = await lockHead(tx, chain);
  const ids = sent === 'once' ? [] : facts.map(({ entryId }) => entryId);
  const known = ids.length === 0 ? undefined : await knownEntries(tx, ids);
  const entries: object[] = [];
  const details: object[] = [];
  for (const fact of facts) {
    if (known?.has(fact.entryId) === true) continue;
    const salt = fact.details === undefined ? undefined : randomBytes(SALT_BYTES).toString('hex');
    const entry: SecurityEntry = {
      ...placed(fact, chain),
      entrySeq: Number(entrySeq) + 1,
      detailsHash: salt === undefined || fact.details === undefined ? null : hashDetails(salt, fact.details),
      recordedAt: toIso(nowMs),
      previousHash: lastHash,
    };
    lastHash = hashEntry(entry);
    entrySeq = String(entry.entrySeq);
    entries.push({ ...entry, hash: lastHash });
    if (salt === undefined) continue;
    const { entryId, accountId, actorAccountId } = entry;
    details.push({ entryId, accountId, actorAccountId, salt, details: fact.details });
  }
  if (entries.length > 0) await insertEntries(tx, chain, { entries, details }, { entrySeq, lastHash });
}

const placed = (
  { entryId, action, accountId, actor, object, reason, occurrences, requestId }: SecurityFact,
  chain: string,
): Omit<SecurityEntry, 'entrySeq' | 'detailsHash' | 'recordedAt' | 'previousHash'> => ({
  entryId,
  chain,
  action,
  accountId: accountId ?? null,
  actorType: actor.type,
  actorAccountId: actor.accountId ?? null,
  actorApiKeyId: actor.apiKeyId ?? null,
  actorClientId: actor.clientId ?? null,
  credentialType: actor.credentialType ?? null,
  objectType: object?.type ?? null,
  objectId: object?.id ?? null,
  reason: reason ?? null,
  occurrences,
  requestId: requestId ?? null,
});
