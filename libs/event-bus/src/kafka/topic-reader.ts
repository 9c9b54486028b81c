import type { EventEnvelope } from '@capability-router/contracts';
import type { Consumer, Kafka } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { type BusLogger, silentLogger } from '../logger.js';
import { fromRecord } from './cloud-events.js';
import { type Assignment, ConsumerLoop } from './consumer-loop.js';
import { deleteGroup } from './delete-group.js';
import { createKafka } from './kafka-client.js';
import type { KafkaConnection } from './kafka-connection.js';
import { PartitionOffsets } from './partition-offsets.js';

/** Milliseconds without any progress after which a read is given up: longer than a dead relay's transaction stays open. */
const STALL_TIMEOUT_MS = 120_000;
const END_CHECK_MS = 25;

export interface TopicRead {
  /** Events that were handed over. */
  readonly events: number;
  /** Records that are no events. */
  readonly malformed: number;
  /** Records before the first one kept were deleted from some partition. */
  readonly expired: boolean;
}

export interface ReadOptions {
  /** The next offset by partition; those that are absent are read from their beginning. */
  readonly from?: ReadonlyMap<number, bigint>;
  /** Milliseconds since the epoch: records written earlier are passed over. Not together with `from`. */
  readonly writtenAfterMs?: number;
  /** One at a time, in order per key. Can get an event again after a broken connection. */
  handle(event: EventEnvelope, partition: number): void | Promise<void>;
}

/** For tools: reads what is in topics now, outside of any consumer group of a service. */
export class TopicReader {
  private readonly kafka: Kafka;
  private readonly offsets: PartitionOffsets;
  private readonly logger: BusLogger;

  constructor(private readonly options: KafkaConnection & { readonly clientId: string; readonly logger?: BusLogger }) {
    this.logger = options.logger ?? silentLogger;
    this.kafka = createKafka({ ...options, logger: this.logger });
    this.offsets = new PartitionOffsets(this.kafka);
  }

  /** Hands over every event of `topic` up to its end as it is now. @throws Error where it cannot be read. */
  async read(topic: string, read: ReadOptions): Promise<TopicRead> {
    const next = new Map<number, bigint>();
    const ends = new Map<number, bigint>();
    let expired = false;
    const starts = read.writtenAfterMs === undefined ? read.from : await this.offsetsAt(topic, read.writtenAfterMs);
    for (const [partition, { low, high }] of await this.offsets.of(topic)) {
      const start = starts?.get(partition) ?? 0n;
      if (read.writtenAfterMs === undefined && start < low) expired = true;
      next.set(partition, start < low ? low : start);
      ends.set(partition, high);
    }
    const unfinished = (): boolean => [...ends].some(([partition, end]) => (next.get(partition) ?? 0n) < end);
    const counts = { events: 0, malformed: 0 };
    if (!unfinished()) return { ...counts, expired };
    const groupId = `${this.options.clientId}-read-${randomUUID()}`;
    const loop = new Reading({ kafka: this.kafka, groupId, topic, logger: this.logger, next, ends, counts, read });
    try {
      await loop.untilEnd(unfinished);
    } finally {
      await loop.stop();
      await deleteGroup(this.kafka, groupId, this.logger);
    }
    return { ...counts, expired };
  }

  /** The offset of the next record of each partition. @throws Error where the topic, or its broker, is not there. */
  async endsOf(topic: string): Promise<ReadonlyMap<number, bigint>> {
    const offsets = await this.offsets.of(topic);
    return new Map([...offsets].map(([partition, { high }]) => [partition, high]));
  }

  async close(): Promise<void> {
    await this.offsets.close();
  }

  private async offsetsAt(topic: string, timestampMs: number): Promise<Map<number, bigint>> {
    const admin = this.kafka.admin();
    await admin.connect();
    try {
      const found = await admin.fetchTopicOffsetsByTimestamp(topic, timestampMs);
      return new Map(found.map(({ partition, offset }) => [partition, BigInt(offset)]));
    } finally {
      await admin.disconnect();
    }
  }
}

interface ReadingState {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topic: string;
  readonly logger: BusLogger;
  /** The next offset by partition; grows. */
  readonly next: Map<number, bigint>;
  readonly ends: ReadonlyMap<number, bigint>;
  readonly counts: { events: number; malformed: number };
  readonly read: ReadOptions;
}

/** One pass over a topic. */
class Reading {
  private readonly loop: ConsumerLoop;
  private progressAt = performance.now();
  private failure: Error | undefined;

  constructor(private readonly state: ReadingState) {
    this.loop = new ConsumerLoop({
      kafka: state.kafka,
      groupId: state.groupId,
      topics: [state.topic],
      fromBeginning: true,
      partitionsConcurrently: 1,
      logger: state.logger,
      onAssigned: (consumer, assignment) => this.seek(consumer, assignment),
      eachBatch: async (_consumer, { batch, resolveOffset, heartbeat, isStale }) => {
        for (const message of batch.messages) {
          const offset = BigInt(message.offset);
          if (isStale() || this.failure !== undefined) return;
          if (offset < (state.next.get(batch.partition) ?? 0n)) continue;
          if (offset >= (state.ends.get(batch.partition) ?? 0n)) break;
          await this.handle(batch.partition, message);
          await heartbeat();
        }
        this.reached(batch.partition, BigInt(batch.lastOffset()) + 1n);
        resolveOffset(batch.lastOffset());
        await heartbeat();
      },
    });
  }

  /** @throws Error where `handle` did, or nothing came for too long. */
  async untilEnd(unfinished: () => boolean): Promise<void> {
    this.loop.start();
    while (unfinished()) {
      await new Promise((resolve) => setTimeout(resolve, END_CHECK_MS));
      if (this.failure !== undefined) throw this.failure;
      if (performance.now() - this.progressAt > STALL_TIMEOUT_MS) {
        throw new Error(`${this.state.topic} could not be read to its end: ${this.loop.trouble() ?? 'nothing comes'}`);
      }
    }
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  private seek(consumer: Consumer, assignment: readonly Assignment[]): void {
    // Batches of nothing but the marks of transactions are not handed over, and end most partitions.
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      if (payload.batchSize === 0) this.reached(payload.partition, BigInt(payload.lastOffset) + 1n);
    });
    for (const { topic, partitions } of assignment) {
      for (const partition of partitions) {
        consumer.seek({ topic, partition, offset: (this.state.next.get(partition) ?? 0n).toString() });
      }
    }
    if (assignment.length > 0) consumer.resume([...assignment]);
  }

  private async handle(partition: number, message: Parameters<typeof fromRecord>[2]): Promise<void> {
    const { event, malformed } = fromRecord(this.state.topic, partition, message);
    if (malformed === undefined) {
      try {
        await this.state.read.handle(event, partition);
        this.state.counts.events += 1;
      } catch (error) {
        this.failure = error instanceof Error ? error : new Error(String(error));
        return;
      }
    } else this.state.counts.malformed += 1;
    this.reached(partition, BigInt(message.offset) + 1n);
  }

  private reached(partition: number, offset: bigint): void {
    if (this.failure !== undefined || offset <= (this.state.next.get(partition) ?? 0n)) return;
    this.state.next.set(partition, offset);
    this.progressAt = performance.now();
  }
}
