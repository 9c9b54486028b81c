import { topicNames } from '@capability-router/contracts';
import { formatPosition, oldestUnreadOf, type OutboxSource, type StoredEvent } from '@capability-router/event-store';
import type { JsonObject } from '@capability-router/kernel';
import { recordOf } from './published-entry.js';
import { readLog, type PlacedEntryRow } from './security-log-outbox.sql.js';

/** The security log is its own outbox: the row is the event. What stands beside it is never published. */
export const securityLogOutbox: OutboxSource = {
  name: 'security-log',
  topics: [topicNames.securityLog],
  async readAfter(db, after, limit) {
    const events = (await readLog(db, after, limit)).map(toEvent);
    return { events, position: events.at(-1)?.position ?? after };
  },
  oldestUnread: oldestUnreadOf('security_log', 'recorded_at'),
};

function toEvent(row: PlacedEntryRow): StoredEvent {
  const { entryId, chain, entrySeq, recordedAt, txOrder, position } = row;
  return {
    id: entryId,
    type: 'SecurityLogEntryRecorded',
    source: 'identity',
    subject: chain,
    sequence: entrySeq,
    time: recordedAt.toISOString(),
    topic: topicNames.securityLog,
    partitionKey: chain,
    data: recordOf(row) as unknown as JsonObject,
    position: formatPosition(txOrder, position),
  };
}
