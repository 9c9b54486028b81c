import { topicNames, type LedgerEntryRecorded } from '@capability-router/contracts';
import { oldestUnreadOf, type OutboxSource, type StoredEvent } from '@capability-router/event-store';
import type { JsonObject } from '@capability-router/kernel';
import { ledgerEntryFromRow } from './ledger-row.js';
import { paidOf } from './domain/money-paid.js';
import { projectOf } from './domain/project-of.js';
import { readLedger, type PlacedEntryRow } from './outboxes.sql.js';

/** The ledger is its own outbox: the row is the event. */
export const ledgerOutbox: OutboxSource = {
  name: 'ledger',
  topics: [topicNames.ledgerEntries],
  async readAfter(db, after, limit) {
    const events = (await readLedger(db, after, limit)).map(toEvent);
    return { events, position: events.at(-1)?.position ?? after };
  },
  oldestUnread: oldestUnreadOf('ledger_entries', 'created_at'),
};

function toEvent(row: PlacedEntryRow): StoredEvent {
  const entry = ledgerEntryFromRow(row);
  const data: LedgerEntryRecorded = {
    entryId: entry.entryId,
    accountId: entry.accountId,
    entrySeq: Number(entry.entrySeq),
    entryType: entry.entryType,
    amountMicroCredits: entry.amount.toString(),
    balanceBeforeMicroCredits: entry.balanceBefore.toString(),
    balanceAfterMicroCredits: entry.balanceAfter.toString(),
    sourceSystem: entry.sourceSystem,
    sourceRefType: entry.sourceRefType,
    sourceRefId: entry.sourceRefId,
    ...(entry.executionId === null ? {} : { executionId: entry.executionId }),
    description: entry.description,
    metadata: entry.metadata,
    ...(row.lots === null ? {} : { lots: row.lots }),
    ...paidOf(entry.metadata),
    ...projectOf(entry.metadata),
    effectiveAt: entry.effectiveAt,
    createdAt: entry.createdAt,
    previousHash: entry.previousHash,
    hash: entry.hash,
  };
  return {
    id: uuidOf(entry.entryId),
    type: 'LedgerEntryRecorded',
    source: 'billing',
    subject: entry.accountId,
    sequence: Number(entry.entrySeq),
    time: entry.createdAt,
    topic: topicNames.ledgerEntries,
    partitionKey: entry.accountId,
    data: data as unknown as JsonObject,
    position: `${row.tx_order}:${row.position}`,
  };
}

function uuidOf(entryId: string): string {
  const hex = entryId.slice('led_'.length);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
