import { topicNames } from '@capability-router/contracts';
import { appendToStream, type NewEvent } from '@capability-router/event-store';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import type { AccountFact } from '../security-log/described-fact.js';
import { logFacts } from '../security-log/log-facts.js';

/**
 * Appends to the account's stream, and to the security log, inside the caller's transaction. `opening` demands an empty
 * stream; otherwise the caller holds the account's row lock, so the end of the stream cannot move. A conflict is therefore
 * a bug.
 */
export function appendAccountEvent(
  tx: pg.ClientBase,
  fact: AccountFact,
  nowMs: number,
  position: 'opening' | 'following',
): Promise<void> {
  return appendAccountEvents(tx, [fact], nowMs, position);
}

/** As above, several facts of one account in their order; at least one. */
export async function appendAccountEvents(
  tx: pg.ClientBase,
  facts: readonly AccountFact[],
  nowMs: number,
  position: 'opening' | 'following',
): Promise<void> {
  const accountId = facts[0]?.data.accountId;
  if (accountId === undefined) return;
  const result = await appendToStream(
    tx,
    'identity',
    accountId,
    position === 'opening' ? 0 : 'any',
    facts.map((fact) => eventOfFact(fact, nowMs)),
  );
  if (result.status !== 'appended') {
    throw new Error(`the stream of ${accountId} moved to ${result.actualSequence} under its account lock`);
  }
  await logFacts(tx, facts, nowMs);
}

/** The fact as the account's stream has it. */
export const eventOfFact = (fact: AccountFact, nowMs: number): NewEvent => ({
  ...fact,
  topic: topicNames.accounts,
  partitionKey: fact.data.accountId,
  time: toIso(nowMs),
});
