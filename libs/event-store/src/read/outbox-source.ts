import type { Queryable } from '../queryable.js';
import type { Position } from './position.js';
import { oldestUnread } from './oldest-unread.js';
import { readAfter } from './read-after.js';
import type { StoredEvent } from './stored-event.js';

/** A table that is its own outbox. Positions are in commit order (see `txOrderSql`, `horizonSql`). */
export interface OutboxSource {
  /** Names its relay, and with it the stored publishing position: never change it. Default: from the topics. */
  readonly name?: string;
  /** Every topic it may carry; empty: every topic of the service that no other outbox of it carries. */
  readonly topics: readonly string[];
  /** `topics` narrows the read where the source can; a source may ignore it. */
  readAfter(
    db: Queryable,
    after: Position,
    limit: number,
    topics?: readonly string[],
  ): Promise<{ events: StoredEvent[]; position: Position }>;
  /** When the oldest row after a position was recorded, also where `readAfter` does not show it yet; undefined where there is none. */
  oldestUnread(db: Queryable, after: Position): Promise<Date | undefined>;
}

/**
 * The `events` table as an outbox: of the given topics, or of all. `parts`: `heads` for a reader that asks for what its events are about, and not
 * what they say; their `data` is empty.
 */
export function eventTableSource(topics: readonly string[] = [], parts: 'whole' | 'heads' = 'whole'): OutboxSource {
  return {
    name: 'events',
    topics,
    readAfter: (db, after, limit, wanted) =>
      readAfter(db, after, limit, wanted ?? (topics.length === 0 ? undefined : topics), parts),
    oldestUnread: (db, after) => oldestUnread(db, after, topics.length === 0 ? undefined : topics),
  };
}
