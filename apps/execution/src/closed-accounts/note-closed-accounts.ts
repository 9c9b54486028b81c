import type { AccountErased, AccountStateChanged, EventEnvelope } from '@capability-router/contracts';
import type { Queryable } from '@capability-router/event-store';
import type { Clock } from '@capability-router/kernel';
import { addClosedAccounts } from './closed-accounts.sql.js';

/** Milliseconds for which a closed account is known here: a day more than the longest life that a link may have. */
const KNOWN_MS = 8 * 86_400_000;

type Closing = AccountErased | AccountStateChanged;

/**
 * Notes in the caller's transaction which accounts were closed, or erased: their links lead nowhere from then on. The time
 * is ours, since what the event says may lie days back. A row outlives every link of its account and then goes.
 */
export async function noteClosedAccounts(tx: Queryable, events: readonly EventEnvelope[], clock: Clock): Promise<void> {
  const accountIds = events.filter(closes).map(({ data }) => (data as unknown as Closing).accountId);
  if (accountIds.length === 0) return;
  const nowMs = clock.nowMs();
  const times = { now: new Date(nowMs), outlivedBefore: new Date(nowMs - KNOWN_MS) };
  await addClosedAccounts(tx, [...new Set(accountIds)], times);
}

const closes = ({ type, data }: EventEnvelope): boolean =>
  type === 'AccountErased' || (type === 'AccountStateChanged' && data['state'] === 'closed');
