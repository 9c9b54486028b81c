import type { ContextName } from '@capability-router/contracts';
import type { OutboxSource } from '@capability-router/event-store';
import type pg from 'pg';
import { DEFAULT_POLL_INTERVAL_MS } from '../broadcast/tail-own-store.js';
import type {
  BroadcastListener,
  EventBus,
  EventBusHealth,
  EventBusMetrics,
  SharedSubscription,
  Subscription,
} from '../event-bus.js';
import { type BusLogger, silentLogger } from '../logger.js';
import { EmbeddedBroadcastListener } from './embedded-broadcast-listener.js';
import { EmbeddedConsumer } from './embedded-consumer.js';
import { findPublication, type Publication } from './publications.js';
import { OutboxReader } from './outbox-reader.js';

export interface EmbeddedEventBusOptions {
  logger?: BusLogger;
  metrics?: EventBusMetrics;
  /** Milliseconds between looks of an idle reader that is not nudged; 100 where absent. */
  pollIntervalMs?: number;
}

/**
 * One instance for all services of a process: reads the same event tables in the same way as a relay does, and hands
 * them to the same chunk processor. Not a broker: beyond one process the answer is Kafka.
 */
export class EmbeddedEventBus implements EventBus {
  private readonly publications: Publication[] = [];
  private readonly readers = new Map<string, OutboxReader>();
  private readonly consumers: EmbeddedConsumer[] = [];
  private readonly listeners = new Set<EmbeddedBroadcastListener>();
  private readonly logger: BusLogger;
  private readonly pollIntervalMs: number;
  private state: 'new' | 'started' | 'stopped' = 'new';

  constructor(private readonly options: EmbeddedEventBusOptions = {}) {
    this.logger = options.logger ?? silentLogger;
    this.pollIntervalMs = options.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS;
  }

  subscribeShared(pool: pg.Pool, subscription: SharedSubscription): Subscription {
    const consumers = subscription.topics.map((topic) => {
      const consumer = new EmbeddedConsumer(pool, subscription, topic, {
        logger: this.logger,
        metrics: this.options.metrics ?? {},
        pollIntervalMs: this.pollIntervalMs,
        readerOf: (name) => this.readerOf(name),
      });
      this.consumers.push(consumer);
      if (this.state === 'started') consumer.start();
      return consumer;
    });
    return {
      async stop() {
        await Promise.all(consumers.map((consumer) => consumer.stop()));
      },
    };
  }

  publishFrom(pool: pg.Pool, source: ContextName, outboxes: readonly OutboxSource[]): void {
    for (const outbox of outboxes) this.publications.push({ pool, source, outbox });
  }

  broadcastListener(): BroadcastListener {
    const listener = new EmbeddedBroadcastListener({
      find: (topic) => findPublication(this.publications, topic),
      pollIntervalMs: this.pollIntervalMs,
      logger: this.logger,
      onClose: () => this.listeners.delete(listener),
    });
    this.listeners.add(listener);
    return listener;
  }

  /** Idempotent, since every service of the process calls it. Consumers added later start at once. */
  async start(): Promise<void> {
    if (this.state === 'stopped') throw new Error('an event bus starts once');
    this.state = 'started';
    for (const consumer of this.consumers) consumer.start();
  }

  async stop(): Promise<void> {
    this.state = 'stopped';
    await Promise.all([
      ...this.consumers.map((consumer) => consumer.stop()),
      ...[...this.listeners].map((listener) => listener.close()),
    ]);
  }

  health(): EventBusHealth {
    if (this.state !== 'started') return { ready: false, detail: `the event bus is ${this.state}` };
    const troubles = this.consumers.flatMap((consumer) => consumer.trouble() ?? []);
    return { ready: troubles.length === 0, detail: troubles.join('; ') || 'all consumers run' };
  }

  private readerOf(topic: string): OutboxReader | undefined {
    const publication = findPublication(this.publications, topic);
    if (publication === undefined) return undefined;
    const known = this.readers.get(topic);
    if (known?.publication === publication) return known;
    const reader = new OutboxReader(topic, publication);
    this.readers.set(topic, reader);
    return reader;
  }

  nudge(source: ContextName, topics?: readonly string[]): void {
    for (const consumer of this.consumers) {
      const concerned = topics === undefined || topics.includes(consumer.topic);
      if (concerned && findPublication(this.publications, consumer.topic)?.source === source) consumer.nudge();
    }
    for (const listener of this.listeners) listener.nudge(source, topics);
  }
}
