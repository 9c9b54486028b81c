import { START_POSITION, type OutboxSource } from '@capability-router/event-store';
import type pg from 'pg';
import { DEFAULT_MAX_BATCH_EVENTS, type SharedSubscription } from '../event-bus.js';
import { backoffMs } from '../shared/backoff.js';
import { ChunkProcessor, type ChunkProcessorOptions } from '../shared/chunk-processor.js';
import { loadPosition, type SlotId } from '../shared/consumer-position.js';
import { Idle } from '../shared/idle.js';
import { describeError } from '../shared/park.js';
import type { Publication } from './publications.js';
import { LINGER_MS } from '../shared/linger.js';

export interface EmbeddedConsumerOptions extends ChunkProcessorOptions {
  pollIntervalMs: number;
  find: (topic: string) => Publication | undefined;
}

/** Reads one topic for one group straight from the producer's outbox. */
export class EmbeddedConsumer {
  readonly #idle: Idle;
  readonly #slot: SlotId;
  readonly #processor: ChunkProcessor;
  readonly #maxBatch: number;
  #running: Promise<void> | undefined;
  #trouble: string | undefined = 'not started';

  constructor(
    private readonly pool: pg.Pool,
    subscription: SharedSubscription,
    readonly topic: string,
    private readonly options: EmbeddedConsumerOptions,
  ) {
    this.#idle = new Idle(options.pollIntervalMs);
    this.#slot = { group: subscription.group, topic, partition: 0 };
    this.#processor = new ChunkProcessor(pool, subscription, options);
    this.#maxBatch = Math.min(subscription.maxBatch ?? DEFAULT_MAX_BATCH_EVENTS, DEFAULT_MAX_BATCH_EVENTS);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#idle.close();
    await this.#running;
  }

  nudge(): void {
    this.#idle.nudge();
  }

  /** Why it stands still, if it does. */
  trouble(): string | undefined {
    return this.#trouble;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#idle.closed) {
      try {
        await this.#follow(() => {
          failures = 0;
          this.#trouble = undefined;
        });
      } catch (error) {
        failures += 1;
        this.#trouble = `${this.#slot.group} on ${this.topic}: ${describeError(error)}`;
        this.options.logger.warn(
          { err: error, ...this.#slot, failures },
          'a consumer failed and goes on after a pause',
        );
        await this.#idle.pause(backoffMs(failures));
      }
    }
  }

  /** Reads and handles until stopped, or until another consumer of the group has moved the position. */
  async #follow(onProgress: () => void): Promise<void> {
    const publication = this.options.find(this.topic);
    if (publication === undefined) throw new Error('no service of this process publishes the topic');
    let stored = await loadPosition(this.pool, this.#slot, START_POSITION);
    let read = stored;
    const readPage = (): ReturnType<OutboxSource['readAfter']> =>
      publication.outbox.readAfter(publication.pool, read, this.#maxBatch, [this.topic]);
    let ahead: ReturnType<typeof readPage> | undefined;
    while (!this.#idle.closed) {
      const page = await (ahead ?? readPage());
      ahead = undefined;
      const moved = page.position !== read;
      read = page.position;
      // A full page has another behind it, which is read while this one is handled.
      if (page.events.length === this.#maxBatch) {
        ahead = readPage();
        ahead.catch(() => undefined);
      }
      const events = page.events.filter(({ topic }) => topic === this.topic);
      if (events.length > 0) {
        const batch = events.map(({ position, ...event }) => ({ event, position }));
        const outcome = await this.#processor.process(this.#slot, stored, batch, page.position);
        if (outcome === 'fenced') return;
        stored = page.position;
        this.#idle.active();
      }
      onProgress();
      if (!moved) await this.#idle.wait();
      else if (ahead === undefined) await this.#idle.pause(LINGER_MS);
    }
  }
}
