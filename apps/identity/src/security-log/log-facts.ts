import { uuidv7 } from '@capability-router/kernel';
import type pg from 'pg';
import { appendEntries } from './chain/append-entries.js';
import type { SecurityFact } from './chain/entry.js';
import { describeFact, type AccountFact, type DescribedFact } from './described-fact.js';
import { currentOrigin } from './origin.js';

/**
 * Facts of one account go into the security log in the transaction that makes them, with whoever asked for them: none is
 * without its entry, and none has one that did not happen.
 */
export function logFacts(tx: pg.ClientBase, facts: readonly AccountFact[], nowMs: number): Promise<void> {
  return appendEntries(tx, entriesOfFacts(facts, nowMs), nowMs);
}

/** The entries of facts, with whoever asks in the request that is served now. For whoever appends them in another one's turn. */
export function entriesOfFacts(facts: readonly AccountFact[], nowMs: number): SecurityFact[] {
  const { actor, requestId, details: where } = currentOrigin();
  return facts.map((fact) => {
    const { action, object, reason, name } = describeFact(fact);
    const details = { ...where, ...(name === undefined ? {} : { name }) };
    return {
      entryId: uuidv7(nowMs),
      action,
      accountId: fact.data.accountId,
      actor,
      object,
      occurrences: 1,
      ...(reason === undefined ? {} : { reason }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    };
  });
}

/** As `logFacts`, of what concerns no account. */
export function logDeploymentFact(
  tx: pg.ClientBase,
  { action, object }: Pick<DescribedFact, 'action' | 'object'>,
  nowMs: number,
): Promise<void> {
  const { actor, requestId, details } = currentOrigin();
  const entry = {
    entryId: uuidv7(nowMs),
    action,
    actor,
    object,
    occurrences: 1,
    ...(requestId === undefined ? {} : { requestId }),
    ...(details === undefined ? {} : { details }),
  };
  return appendEntries(tx, [entry], nowMs);
}
