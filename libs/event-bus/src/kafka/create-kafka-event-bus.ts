import type { ContextName } from '@capability-router/contracts';
import type { OutboxSource } from '@capability-router/event-store';
import type { Kafka } from 'kafkajs';
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
import type { BusLogger } from '../logger.js';
import { DeadLetters } from './dead-letters.js';
import { KafkaBroadcastListener } from './kafka-broadcast-listener.js';
import { createKafka } from './kafka-client.js';
import type { KafkaConnection } from './kafka-connection.js';
import { KafkaSharedConsumer } from './kafka-shared-consumer.js';
import { PartitionOffsets } from './partition-offsets.js';
import { Relay } from './relay.js';
import { openRelayPublisher } from './relay-publisher.js';

export interface KafkaEventBusOptions extends KafkaConnection {
  /** Shown in the broker's logs and metrics, e.g. `billing`. */
  clientId: string;
  logger: BusLogger;
  metrics?: EventBusMetrics;
  /** Milliseconds between looks of an idle relay that is not nudged; 100 where absent. */
  pollIntervalMs?: number;
  /** Milliseconds after which the lease of a dead relay lapses; 10,000 where absent. */
  relayLeaseMs?: number;
  /** Milliseconds without a heartbeat after which a consumer loses its partitions; 10,000 where absent. */
  sessionTimeoutMs?: number;
  /** Where several deployments share a broker. */
  transactionalIdPrefix?: string;
  deadLetterTopic?: string;
}

/** The bus of one replica of one service on Apache Kafka. Topics must exist. */
export function createKafkaEventBus(options: KafkaEventBusOptions): EventBus {
  return new KafkaEventBus(options);
}

class KafkaEventBus implements EventBus {
  private readonly kafka: Kafka;
  private readonly offsets: PartitionOffsets;
  private readonly deadLetters: DeadLetters;
  private readonly consumers: KafkaSharedConsumer[] = [];
  private readonly relays = new Map<string, { source: ContextName; relay: Relay }>();
  private readonly listeners = new Set<KafkaBroadcastListener>();
  private state: 'new' | 'started' | 'stopped' = 'new';
  private wasReady = false;

  constructor(private readonly options: KafkaEventBusOptions) {
    this.kafka = createKafka(options);
    this.offsets = new PartitionOffsets(this.kafka);
    this.deadLetters = new DeadLetters(this.kafka, options.deadLetterTopic);
  }

  subscribeShared(pool: pg.Pool, subscription: SharedSubscription): Subscription {
    const consumer = new KafkaSharedConsumer(pool, subscription, {
      kafka: this.kafka,
      offsets: this.offsets,
      sessionTimeoutMs: this.options.sessionTimeoutMs,
      logger: this.options.logger,
      metrics: this.options.metrics ?? {},
      onParked: (parked) => this.deadLetters.send(parked),
    });
    this.consumers.push(consumer);
    if (this.state === 'started') consumer.start();
    return consumer;
  }

  publishFrom(pool: pg.Pool, source: ContextName, outboxes: readonly OutboxSource[]): void {
    for (const outbox of outboxes) {
      const name = relayName(source, outbox);
      if (this.relays.has(name)) throw new Error(`two outboxes of ${source} share the relay ${name}: name them`);
      const transactionalId = `${this.options.transactionalIdPrefix ?? ''}${name}`;
      const relay = new Relay({
        name,
        pool,
        outbox,
        openPublisher: () => openRelayPublisher(this.kafka, transactionalId),
        logger: this.options.logger,
        metrics: this.options.metrics ?? {},
        pollIntervalMs: this.options.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS,
        ...(this.options.relayLeaseMs === undefined ? {} : { leaseMs: this.options.relayLeaseMs }),
      });
      this.relays.set(name, { source, relay });
      if (this.state === 'started') relay.start();
    }
  }

  broadcastListener(): BroadcastListener {
    const listener = new KafkaBroadcastListener({
      kafka: this.kafka,
      clientId: this.options.clientId,
      offsets: this.offsets,
      logger: this.options.logger,
      onClose: () => this.listeners.delete(listener),
    });
    this.listeners.add(listener);
    return listener;
  }

  /** Returns at once; `health` tells when everything is connected. */
  async start(): Promise<void> {
    if (this.state === 'stopped') throw new Error('an event bus starts once');
    this.state = 'started';
    for (const consumer of this.consumers) consumer.start();
    for (const { relay } of this.relays.values()) relay.start();
  }

  async stop(): Promise<void> {
    this.state = 'stopped';
    await Promise.all([
      ...this.consumers.map((consumer) => consumer.stop()),
      ...[...this.relays.values()].map(({ relay }) => relay.stop()),
      ...[...this.listeners].map((listener) => listener.close()),
    ]);
    await Promise.all([this.offsets.close(), this.deadLetters.close()]);
  }

  health(): EventBusHealth {
    if (this.state !== 'started') return { ready: false, detail: `the event bus is ${this.state}` };
    const others = [...[...this.relays.values()].map(({ relay }) => relay), ...this.listeners];
    const troubles = [...this.consumers, ...others].flatMap((part) => part.trouble() ?? []);
    this.wasReady ||= this.consumers.every((consumer) => consumer.hasBegun()) && others.every(isWell);
    // A broker that is away comes back, and meanwhile requests need none: no replica is better off than this one.
    const ready = this.wasReady && !this.consumers.some((consumer) => consumer.needsOperator());
    return { ready, detail: troubles.join('; ') || 'all consumers and relays run' };
  }

  nudge(source: ContextName): void {
    for (const entry of this.relays.values()) if (entry.source === source) entry.relay.nudge();
  }
}

const isWell = (part: { trouble(): string | undefined }): boolean => part.trouble() === undefined;

function relayName(source: ContextName, outbox: OutboxSource): string {
  const name = outbox.name ?? [...outbox.topics].sort().join('+');
  return name === '' || name === 'events' ? `${source}-relay` : `${source}-relay-${name}`;
}
