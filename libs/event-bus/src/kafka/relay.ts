import type { OutboxSource, Position } from '@capability-router/event-store';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { EventBusMetrics } from '../event-bus.js';
import type { BusLogger } from '../logger.js';
import { RestartedWork } from '../shared/restarted-work.js';
import { acquireLease, checkpoint, releaseLease, type RelayLease } from './relay-lease.js';
import type { RelayPublisher } from './relay-publisher.js';

export const DEFAULT_LEASE_MS = 10_000;
/** Events in one transaction of the broker. */
export const MAX_RELAY_BATCH_EVENTS = 1_000;
/** Milliseconds between two looks for events that no page shows yet, because a transaction that began before them is open. */
const LOOK_BEHIND_MS = 5_000;

export interface RelayOptions {
  /** `<source>-relay…`; also its transactional id. */
  name: string;
  pool: pg.Pool;
  outbox: OutboxSource;
  openPublisher: () => Promise<RelayPublisher>;
  logger: BusLogger;
  metrics: EventBusMetrics;
  pollIntervalMs: number;
  leaseMs?: number;
}

/**
 * Publishes one outbox. One replica at a time holds the lease; the broker refuses one that only believes it does, and
 * the checkpoint moves by compare-and-set. A crash between publishing and checkpoint publishes a batch again: readers
 * see every event at least once, in order per key.
 */
export class Relay extends RestartedWork {
  private readonly holder = randomUUID();
  private readonly leaseMs: number;
  private lookedBehindAt = -Infinity;
  /** The event that the metric shows is on its way to the topic. */
  private isOldestOfPage = false;

  constructor(private readonly options: RelayOptions) {
    super(options.name, options.pollIntervalMs);
    this.leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
  }

  /** A replica that waits for the lease is well. */
  protected async work(): Promise<void> {
    const lease = await acquireLease(this.options.pool, this.options.name, this.holder, this.leaseMs);
    this.well();
    if (lease === undefined) {
      this.options.metrics.oldestUnpublished?.({ relay: this.options.name }, undefined);
      await this.idle.pause(this.leaseMs / 4 + (Math.random() * this.leaseMs) / 8);
    } else await this.lead(lease);
  }

  protected warn(error: unknown, failures: number): void {
    const { name, logger } = this.options;
    logger.warn({ err: error, relay: name, failures }, 'a relay failed, it tries again');
  }

  private async lead(lease: RelayLease): Promise<void> {
    const { pool, outbox, name, logger } = this.options;
    logger.info({ relay: name, generation: lease.generation }, 'the relay leads');
    let publisher: RelayPublisher | undefined;
    try {
      publisher = await this.options.openPublisher().catch(async (error: unknown) => {
        // The outbox can be read all the same.
        await this.showOldest(lease.position, (await outbox.readAfter(pool, lease.position, 1)).events);
        throw error;
      });
      await this.publishAll(lease, publisher);
    } finally {
      // Whoever takes over opens its own publisher, so the lease may go before this one is closed.
      await releaseLease(pool, lease).catch((error: unknown) => {
        logger.warn({ err: error, relay: name }, 'the lease of the relay could not be released and will lapse');
      });
      await publisher?.close().catch(() => undefined);
    }
  }

  private async showOldest(position: Position, [oldest]: readonly { readonly time: string }[]): Promise<void> {
    const { pool, outbox, metrics, name } = this.options;
    const show = (atMs: number | undefined): void => metrics.oldestUnpublished?.({ relay: name }, atMs);
    if (oldest !== undefined) show(Date.parse(oldest.time));
    else if (performance.now() - this.lookedBehindAt >= LOOK_BEHIND_MS) {
      this.lookedBehindAt = performance.now();
      show((await outbox.oldestUnread(pool, position))?.getTime());
    } else if (this.isOldestOfPage) show(undefined);
    this.isOldestOfPage = oldest !== undefined;
  }

  private async publishAll(lease: RelayLease, publisher: RelayPublisher): Promise<void> {
    const { pool, outbox, metrics, name } = this.options;
    let position = lease.position;
    let renewedAt = performance.now();
    while (!this.idle.closed) {
      const page = await outbox.readAfter(pool, position, MAX_RELAY_BATCH_EVENTS);
      await this.showOldest(position, page.events);
      if (page.events.length > 0) {
        metrics.eventsRead?.({ relay: name }, page.events.length);
        await publisher.publish(page.events);
        metrics.eventsRelayed?.({ relay: name }, page.events.length);
        this.idle.active();
      }
      const moved = page.position !== position;
      if (moved || performance.now() - renewedAt > this.leaseMs / 3) {
        if (!(await checkpoint(pool, lease, position, page.position, this.leaseMs))) {
          this.options.logger.warn({ relay: name, generation: lease.generation }, 'the relay lost its lease');
          return;
        }
        renewedAt = performance.now();
        position = page.position;
      }
      this.progress();
      if (!moved) await this.idle.wait();
    }
  }
}
