import { randomBytes } from 'node:crypto';
import { toIso } from '@capability-router/kernel';
import { isMadeRequestId } from '@capability-router/service-kit';
import type pg from 'pg';
import { insertEntries, knownEntries, lockHead, type AppendedEntries, type ChainHead } from './append-entries.sql.js';
import { chainOf, FIRST_HASH, hashDetails, hashEntry, type SecurityEntry, type SecurityFact } from './entry.js';

const SALT_BYTES = 16;
/** The end of a chain that has not begun. */
const NO_ENTRY: ChainHead = { entrySeq: '0', lastHash: FIRST_HASH, lastTxOrder: '0' };

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
  const head = await lockHead(tx, chain);
  const ids = sent === 'once' ? [] : facts.map(({ entryId }) => entryId);
  const known = ids.length === 0 ? undefined : await knownEntries(tx, ids);
  const wanted = known === undefined ? facts : facts.filter(({ entryId }) => !known.has(entryId));
  if (wanted.length > 0) await insertEntries(tx, chained(wanted, { chain, ...head }, nowMs));
}

/** The first facts of one chain, and when they are recorded. */
export interface FirstFacts {
  readonly facts: readonly SecurityFact[];
  /** Time of the database, milliseconds. */
  readonly nowMs: number;
}

/** Begins chains of accounts that the caller's transaction opens, and that nobody else knows therefore. */
export async function beginChains(tx: pg.ClientBase, chains: readonly FirstFacts[]): Promise<void> {
  const begun = chains.flatMap(({ facts, nowMs }) => {
    const [first] = facts;
    return first === undefined ? [] : [chained(facts, { chain: chainOf(first), ...NO_ENTRY }, nowMs)];
  });
  if (begun.length === 0) return;
  await insertEntries(tx, {
    entries: begun.flatMap(({ entries }) => entries),
    details: begun.flatMap(({ details }) => details),
    heads: begun.flatMap(({ heads }) => heads),
  });
}

/** The facts as they follow the end of their chain. */
function chained(
  facts: readonly SecurityFact[],
  { chain, ...head }: ChainHead & { readonly chain: string },
  nowMs: number,
): AppendedEntries {
  const { lastTxOrder } = head;
  let { entrySeq, lastHash } = head;
  const entries: object[] = [];
  const details: object[] = [];
  for (const fact of facts.map(withoutChosenId)) {
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
    entries.push({ ...entry, hash: lastHash, lastTxOrder });
    if (salt === undefined) continue;
    const { entryId, accountId, actorAccountId } = entry;
    details.push({ entryId, accountId, actorAccountId, salt, details: fact.details });
  }
  return { entries, details, heads: [{ chain, entrySeq, lastHash, lastTxOrder }] };
}

/** An id that the caller chose may say anything, and stands beside the log therefore, like addresses and names. */
function withoutChosenId(fact: SecurityFact): SecurityFact {
  const { requestId, ...rest } = fact;
  if (requestId === undefined || isMadeRequestId(requestId)) return fact;
  return { ...rest, details: { ...rest.details, requestId } };
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
