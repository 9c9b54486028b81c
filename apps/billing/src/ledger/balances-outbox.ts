import { createHash } from 'node:crypto';
import { topicNames, type AccountBalanceChanged } from '@capability-router/contracts';
import { oldestUnreadOf, type OutboxSource, type StoredEvent } from '@capability-router/event-store';
import type { JsonObject } from '@capability-router/kernel';
import { readBalances, type BalanceRow } from './outboxes.sql.js';

/**
 * Balances as the ledger says them, so that settlement writes nothing for this topic: of each page of new entries, the
 * last one of every account. Along an account entries come in the order of `entry_seq`, so the last record of a key is
 * the current balance; a page that is published again says the same.
 */
export const balancesOutbox: OutboxSource = {
  name: 'balances',
  topics: [topicNames.balances],
  async readAfter(db, after, limit) {
    const rows = await readBalances(db, after, limit);
    const last = rows.at(-1);
    if (last === undefined) return { events: [], position: after };
    // A later row of an account takes the place of its earlier one, at the end: events keep the order of positions.
    const current = new Map<string, BalanceRow>();
    for (const row of rows) {
      current.delete(row.account_id);
      current.set(row.account_id, row);
    }
    return { events: [...current.values()].map(toEvent), position: positionOf(last) };
  },
  oldestUnread: oldestUnreadOf('ledger_entries', 'created_at'),
};

const positionOf = (row: BalanceRow): string => `${row.tx_order}:${row.position}`;

function toEvent(row: BalanceRow): StoredEvent {
  const data: AccountBalanceChanged = {
    accountId: row.account_id,
    balanceMicroCredits: row.balance_after_micro,
    entrySeq: Number(row.entry_seq),
    entryId: row.entry_id,
    asOf: row.created_at.toISOString(),
  };
  return {
    id: balanceEventId(row.entry_id),
    type: 'AccountBalanceChanged',
    source: 'billing',
    subject: row.account_id,
    sequence: data.entrySeq,
    time: data.asOf,
    topic: topicNames.balances,
    partitionKey: row.account_id,
    data: data as unknown as JsonObject,
    position: positionOf(row),
  };
}

/** A UUID (version 8) of its own for the balance after an entry, whose id is that of the entry's event. */
function balanceEventId(entryId: string): string {
  const hex = createHash('sha256').update(`balance:${entryId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
