import {
  comparePositions,
  MAX_READ_EVENTS,
  START_POSITION,
  type Position,
  type StoredEvent,
} from '@capability-router/event-store';
import type pg from 'pg';
import { DEFAULT_MAX_BATCH_EVENTS, type SharedSubscription } from '../event-bus.js';
import { ChunkProcessor, type ChunkProcessorOptions } from '../shared/chunk-processor.js';
import { DEFAULT_LINGER_MS } from '../shared/linger.js';
import { RestartedWork } from '../shared/restarted-work.js';
import { EmbeddedLane, laneOf } from './embedded-lane.js';
import { loadLanePositions } from './lane-positions.js';
import type { GroupReader, Page, OutboxReader } from './outbox-reader.js';

export interface EmbeddedConsumerOptions extends ChunkProcessorOptions {
  pollIntervalMs: number;
  /** The reader that all groups of a topic share; undefined where no service of this process publishes the topic. */
  readerOf: (topic: string) => OutboxReader | undefined;
}

/** Reads one topic for one group from the producer's outbox, and hands it to the group's lanes. */
export class EmbeddedConsumer extends RestartedWork {
  private readonly processor: ChunkProcessor;
  private readonly maxBatch: number;

  constructor(
    private readonly pool: pg.Pool,
    private readonly subscription: SharedSubscription,
    readonly topic: string,
    private readonly options: EmbeddedConsumerOptions,
  ) {
    super(`${subscription.group} on ${topic}`, options.pollIntervalMs, 'not started');
    this.processor = new ChunkProcessor(pool, subscription, options);
    this.maxBatch = Math.min(subscription.maxBatch ?? DEFAULT_MAX_BATCH_EVENTS, DEFAULT_MAX_BATCH_EVENTS);
  }

  /** Reads and handles until stopped, or until another consumer of the group has moved a position. */
  protected async work(): Promise<void> {
    const outboxReader = this.options.readerOf(this.topic);
    if (outboxReader === undefined) throw new Error('no service of this process publishes the topic');
    const lanes = await this.openLanes();
    const first = lanes.map((lane) => lane.position).sort(comparePositions)[0] ?? START_POSITION;
    const reader = outboxReader.open(first);
    try {
      await this.follow(reader, first, lanes);
    } finally {
      reader.close();
    }
  }

  private async follow(reader: GroupReader, first: Position, lanes: readonly EmbeddedLane[]): Promise<void> {
    const pageEvents = Math.min(this.maxBatch * lanes.length, MAX_READ_EVENTS);
    let read = first;
    const readPage = (): Promise<Page> => reader.readAfter(read, pageEvents);
    let ahead: Promise<Page> | undefined;
    while (!this.idle.closed) {
      const page = await (ahead ?? readPage());
      ahead = undefined;
      const moved = page.position !== read;
      read = page.position;
      // A full page has another behind it, which is read while this one is handled.
      if (page.events.length === pageEvents) {
        ahead = readPage();
        ahead.catch(() => undefined);
      }
      if (moved) {
        if (!(await this.handOut(lanes, page))) return;
        this.idle.active();
      }
      this.progress();
      if (!moved) await this.idle.wait();
      else if (ahead === undefined) await this.idle.pause(this.subscription.lingerMs ?? DEFAULT_LINGER_MS);
    }
  }

  protected warn(error: unknown, failures: number): void {
    const { group } = this.subscription;
    this.options.logger.warn(
      { err: error, group, topic: this.topic, failures },
      'a consumer failed and goes on after a pause',
    );
  }

  private async openLanes(): Promise<EmbeddedLane[]> {
    const { group, lanes = 1 } = this.subscription;
    const positions = await loadLanePositions(this.pool, group, this.topic, lanes);
    return positions.map(
      (position, partition) =>
        new EmbeddedLane({ group, topic: this.topic, partition }, this.processor, this.maxBatch, position),
    );
  }

  /** Answers false where a lane is fenced. Every lane has ended when it returns or throws, so none is left behind at work. */
  private async handOut(lanes: readonly EmbeddedLane[], page: Page): Promise<boolean> {
    const shares = lanes.map((): StoredEvent[] => []);
    for (const event of page.events) {
      if (event.topic === this.topic) shares[laneOf(event.partitionKey, lanes.length)]?.push(event);
    }
    const taken = await Promise.allSettled(lanes.map((lane, index) => lane.take(shares[index] ?? [], page.position)));
    const failed = taken.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return taken.every((result) => result.status === 'fulfilled' && result.value);
  }
}
