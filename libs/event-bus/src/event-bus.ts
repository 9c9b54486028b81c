import type { ContextName, EventEnvelope } from '@capability-router/contracts';
import type { OutboxSource } from '@capability-router/event-store';
import type pg from 'pg';

/** Events that a consumer group handles in one transaction, unless it asks for fewer. */
export const DEFAULT_MAX_BATCH_EVENTS = 500;

/** Shared mode: one consumer group, each event handled once, in order per key. */
export interface SharedSubscription {
  /** Consumer group, e.g. `billing-settlement`. */
  group: string;
  topics: readonly string[];
  /**
   * Applies a batch of one topic within `tx`; the consumer's position is written and committed with it, so it must
   * not commit or roll back itself. It can be called again for the same events after a roll-back.
   * Throw `PermanentError` for what no retry can mend, `TransientError` for what waiting may mend.
   */
  handle(events: readonly EventEnvelope[], tx: pg.PoolClient): Promise<void>;
  /**
   * No event may be missed: where events expired before this group had read them, their partition stands still and the
   * service is not ready until an operator has decided. A group that has read nothing yet begins at the oldest event.
   */
  complete?: boolean;
  /** Default and most: 500. */
  maxBatch?: number;
  /** Key ranges handled at the same time, each in a transaction of its own; 1 where absent. On Kafka partitions are. */
  lanes?: number;
  /** Milliseconds to wait after a batch that was not full, for a fuller one; 100 where absent. */
  lingerMs?: number;
}

/** A subscription that can be ended before its bus. */
export interface Subscription {
  /** Ends the batch in hand; nothing is handled afterwards. */
  stop(): Promise<void>;
}

/** Broadcast mode without a database: every replica gets every event published from now on. */
export interface BroadcastListener {
  /** Resolves when everything published from now on will be heard. Delivered at least once. Call it once. */
  listen(topics: readonly string[], handle: (event: EventEnvelope) => void): Promise<void>;
  /** Does it read now? A consumer group takes seconds to begin, and what is published meanwhile is heard after them. */
  isReading(): boolean;
  close(): Promise<void>;
}

/**
 * Ready = everything was connected once, and no consumer waits for an operator. `detail` names what is in trouble, also
 * where it is ready: what only waits for its broker or its database goes on when they are back.
 */
export interface EventBusHealth {
  ready: boolean;
  detail: string;
}

export interface EventBus {
  /** Effect and position in one transaction on the consumer's own database `pool`. */
  subscribeShared(pool: pg.Pool, subscription: SharedSubscription): Subscription;
  /** This service's outboxes: published by a leased relay (Kafka) or read in place (embedded). */
  publishFrom(pool: pg.Pool, source: ContextName, outboxes: readonly OutboxSource[]): void;
  broadcastListener(): BroadcastListener;
  start(): Promise<void>;
  /** Ends the batch in hand, then everything. */
  stop(): Promise<void>;
  health(): EventBusHealth;
  /**
   * A hint after a commit, so that an embedded reader or a relay looks at once instead of at its poll interval. `topics`:
   * of what was committed, so that readers of others are left alone; all where absent.
   */
  nudge(source: ContextName, topics?: readonly string[]): void;
}

/** Hooks by which the bus counts what it does; every member is optional. */
export interface EventBusMetrics {
  /** A batch is about to be handled, and nothing of it is done. */
  batchRead?(labels: { group: string; topic: string }): void;
  /** The effect of a batch and its position are written and not yet committed. */
  batchApplied?(labels: { group: string; topic: string }): void;
  batchHandled?(labels: { group: string; topic: string }, events: number, durationMs: number): void;
  /** The events of such a batch, in their order. */
  eventsHandled?(labels: { group: string; topic: string }, events: readonly EventEnvelope[], durationMs: number): void;
  batchRetried?(labels: { group: string; topic: string }): void;
  /** A batch of a zombie was thrown away. */
  batchFenced?(labels: { group: string; topic: string }): void;
  eventsParked?(labels: { group: string; topic: string }, events: number): void;
  /** Events behind the end of a partition; undefined: this replica does not have the partition any more. */
  lag?(labels: { group: string; topic: string; partition: number }, events: number | undefined): void;
  /** The oldest event that this replica has of a partition and has not handled, in Unix milliseconds; undefined: it has none. */
  oldestUnhandled?(labels: { group: string; topic: string; partition: number }, atMs: number | undefined): void;
  /** The oldest event of an outbox that is not published, in Unix milliseconds; undefined: none, or another replica leads. */
  oldestUnpublished?(labels: { relay: string }, atMs: number | undefined): void;
  /** Read from an outbox, not yet published. */
  eventsRead?(labels: { relay: string }, events: number): void;
  eventsRelayed?(labels: { relay: string }, events: number): void;
}
