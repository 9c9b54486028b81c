import { topicNames, type LedgerEntryRecorded } from '@capability-router/contracts';
import { horizonSql, type OutboxSource, type StoredEvent } from '@capability-router/event-store';
import type { JsonObject } from '@capability-router/kernel';
import { ledgerEntryFromRow, type LedgerEntryRow } from './ledger-row.js';

/**
 * Rows of finished transactions only, in commit order. The boundary is the snapshot's xmin, as in the event table:
 * `id > last` would lose rows that commit out of order.
 */
const readLedgerSql = `
SELECT * FROM ledger_entries
 WHERE (tx_order, position) > ($1::bigint, $2::bigint) AND tx_order < ${horizonSql}
 ORDER BY tx_order, position LIMIT $3`;

/** The ledger is its own outbox: the row is the event. */
export const ledgerOutbox: OutboxSource = {
  name: 'ledger',
  topics: [topicNames.ledgerEntries],
  async readAfter(db, after, limit) {
    const [txOrder = '0', position = '0'] = after === '' ? [] : after.split(':');
    const { rows } = (await db.query(readLedgerSql, [txOrder, position, limit])) as {
      rows: (LedgerEntryRow & { tx_order: string; position: string })[];
    };
    const events = rows.map(toEvent);
    return { events, position: events.at(-1)?.position ?? after };
  },
};

function toEvent(row: LedgerEntryRow & { tx_order: string; position: string }): StoredEvent {
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
