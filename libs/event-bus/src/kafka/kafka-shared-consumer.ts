import type { Consumer, Kafka, KafkaMessage } from 'kafkajs';
import type pg from 'pg';
import { DEFAULT_MAX_BATCH_EVENTS, type SharedSubscription } from '../event-bus.js';
import { backoffMs } from '../shared/backoff.js';
import { ChunkProcessor, type ChunkProcessorOptions } from '../shared/chunk-processor.js';
import { loadPosition, type SlotId } from '../shared/consumer-position.js';
import { Gathering } from '../shared/gathering.js';
import { DEFAULT_LINGER_MS } from '../shared/linger.js';
import { describeError } from '../shared/park.js';
import { type Assignment, ConsumerLoop } from './consumer-loop.js';
import { groupBatches } from './group-batches.js';
import {
  type BatchPayload,
  chunkOf,
  type Fetched,
  offsetBehind,
  type OpenPartition,
  type PartitionInHand,
} from './partition-in-hand.js';
import type { PartitionOffsets } from './partition-offsets.js';
import { StandsStill, START_OFFSET, startOffset } from './start-offset.js';

/**
 * Partitions of one fetch that are brought together, so that what they hold can share transactions; those beyond it
 * come with the next.
 */
const PARTITIONS_TOGETHER = 256;
/** Transactions of a group at the same time; each holds one connection of the pool. */
const GROUPS_CONCURRENTLY = 3;
const COMMIT_HINT_INTERVAL_MS = 5_000;

/**
 * Shared mode on Kafka. The position in the consumer's database is the truth: every assignment starts with a seek to
 * it, every chunk commits effect and position together, and the offset committed to Kafka is a hint for people. A fetch
 * brings a little of many partitions: that is handled in one transaction, since a transaction costs much the same for
 * one event as for a hundred.
 */
export class KafkaSharedConsumer {
  private readonly loop: ConsumerLoop;
  private readonly processor: ChunkProcessor;
  private readonly maxBatch: number;
  private readonly fetched = new Gathering<Fetched>((fetched) => this.handleFetched(fetched));
  private open = new Map<string, OpenPartition>();
  private assignmentNumber = 0;
  private stopped = false;
  private hintedAt = 0;
  private fetchedAt = 0;
  private readonly troubles = new Map<string, string>();
  private readonly standing = new Set<string>();

  constructor(
    private readonly pool: pg.Pool,
    private readonly subscription: SharedSubscription,
    private readonly options: ChunkProcessorOptions & {
      kafka: Kafka;
      offsets: PartitionOffsets;
      sessionTimeoutMs?: number | undefined;
    },
  ) {
    this.maxBatch = Math.min(subscription.maxBatch ?? DEFAULT_MAX_BATCH_EVENTS, DEFAULT_MAX_BATCH_EVENTS);
    this.processor = new ChunkProcessor(pool, subscription, options);
    this.loop = new ConsumerLoop({
      kafka: options.kafka,
      groupId: subscription.group,
      topics: subscription.topics,
      fromBeginning: true,
      partitionsConcurrently: PARTITIONS_TOGETHER,
      sessionTimeoutMs: options.sessionTimeoutMs,
      logger: options.logger,
      onAssigned: (consumer, assignment) => this.onAssigned(consumer, assignment),
      eachBatch: (consumer, payload) => this.fetched.add({ consumer, payload }),
      onFetched: () => (this.fetchedAt = performance.now()),
    });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop.stop();
  }

  trouble(): string | undefined {
    return this.loop.trouble() ?? this.troubles.values().next().value;
  }

  /** False: a start waits for it. */
  hasBegun(): boolean {
    return this.loop.hasBegun() && this.troubles.size === 0;
  }

  /** Does a partition wait for an operator? */
  needsOperator(): boolean {
    return this.standing.size > 0;
  }

  private onAssigned(consumer: Consumer, assignment: readonly Assignment[]): void {
    for (const { slot } of this.open.values()) this.showNothingOf(slot);
    this.open = new Map();
    this.troubles.clear();
    this.standing.clear();
    this.assignmentNumber += 1;
    for (const { topic, partitions } of assignment) {
      for (const partition of partitions) {
        this.troubles.set(`${topic}/${partition}`, `${this.subscription.group} on ${topic}/${partition}: not open yet`);
        void this.openPartition(consumer, topic, partition, this.assignmentNumber);
      }
    }
  }

  private isCurrent(assignment: number): boolean {
    return !this.stopped && assignment === this.assignmentNumber;
  }

  /** Loads the position, seeks to it, and lets the paused partition flow. Tries until the assignment changes. */
  private async openPartition(consumer: Consumer, topic: string, partition: number, assignment: number): Promise<void> {
    const slot = { group: this.subscription.group, topic, partition };
    const key = `${topic}/${partition}`;
    for (let failures = 1; this.isCurrent(assignment); failures += 1) {
      try {
        const position = await loadPosition(this.pool, slot, START_OFFSET);
        const range = (await this.options.offsets.of(topic)).get(partition);
        const start = startOffset(position, range, {
          complete: this.subscription.complete === true,
          onExpired: (low) =>
            this.options.logger.error({ ...slot, position, low }, 'events expired before they were read'),
        });
        if (!this.isCurrent(assignment)) return;
        this.open.set(key, { slot, position, failures: 0 });
        this.troubles.delete(key);
        this.standing.delete(key);
        consumer.seek({ topic, partition, offset: start });
        consumer.resume([{ topic, partitions: [partition] }]);
        return;
      } catch (error) {
        if (!this.isCurrent(assignment)) return;
        this.troubles.set(key, `${slot.group} on ${key}: ${describeError(error)}`);
        if (error instanceof StandsStill) this.standing.add(key);
        this.options.logger.warn({ err: error, ...slot, failures }, 'a partition could not be opened, it waits');
        await new Promise((resolve) => setTimeout(resolve, backoffMs(failures)));
      }
    }
  }

  /** Handles what one fetch brought, of as many partitions as it had something of. */
  private async handleFetched(fetched: readonly Fetched[]): Promise<void> {
    const groups = groupBatches(
      fetched.flatMap((each) => this.unhandled(each)),
      this.maxBatch,
    );
    const events = groups.flat().reduce((sum, { messages }) => sum + messages.length, 0);
    const inHand = async (): Promise<void> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) await this.handleGroup(group);
    };
    const results = await Promise.allSettled(Array.from({ length: GROUPS_CONCURRENTLY }, inHand));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    if (events < this.maxBatch) await this.linger();
  }

  private unhandled({ consumer, payload }: Fetched): PartitionInHand[] {
    const { batch } = payload;
    const { topic, partition } = batch;
    const open = this.open.get(`${topic}/${partition}`);
    if (open === undefined) return [];
    const messages = batch.messages.filter(({ offset }) => BigInt(offset) >= BigInt(open.position));
    const { slot } = open;
    this.showOldest(slot, messages[0]);
    if (messages.length === 0) {
      payload.resolveOffset(batch.lastOffset());
      return [];
    }
    const key = `${topic}/${partition}`;
    return [{ consumer, payload, topic, slot, key, assignment: this.assignmentNumber, open, messages }];
  }

  private async handleGroup(group: readonly [PartitionInHand, ...PartitionInHand[]]): Promise<void> {
    if (group.length === 1 || !(await this.handleTogether(group.filter((each) => this.isInHand(each))))) {
      for (const each of group) await this.handleAlone(each);
    }
    const [{ payload }] = group;
    for (const each of group) {
      if (this.isOpen(each)) this.options.metrics.lag?.(each.slot, Number(each.payload.batch.offsetLag()));
    }
    await this.commitHint(payload);
  }

  /** Answers false where nothing was done, so that each partition has to be handled by itself. */
  private async handleTogether(group: readonly PartitionInHand[]): Promise<boolean> {
    const [first, ...others] = group.map((each) => chunkOf(each, each.messages));
    if (first === undefined) return true;
    try {
      if ((await this.processor.processTogether([first, ...others])) === 'apart') return false;
    } catch (error) {
      for (const each of group) this.holdBack(each, error);
      return true;
    }
    for (const each of group) this.handled(each, each.messages);
    await group[0]?.payload.heartbeat();
    return true;
  }

  private async handleAlone(inHand: PartitionInHand): Promise<void> {
    const { slot, messages, open, payload } = inHand;
    for (let start = 0; start < messages.length; start += this.maxBatch) {
      if (!this.isInHand(inHand)) return;
      const taken = messages.slice(start, start + this.maxBatch);
      try {
        const { expected, events, next } = chunkOf(inHand, taken);
        if ((await this.processor.process(slot, expected, events, next)) === 'fenced') {
          this.options.logger.warn({ ...slot, position: open.position }, 'fenced: another consumer moved the position');
          this.reopen(inHand);
          return;
        }
      } catch (error) {
        this.holdBack(inHand, error);
        return;
      }
      this.handled(inHand, taken);
      await payload.heartbeat();
    }
  }

  private isInHand(inHand: PartitionInHand): boolean {
    const { payload } = inHand;
    return payload.isRunning() && !payload.isStale() && this.isOpen(inHand);
  }

  /** False once it was assigned anew, here or elsewhere, or is opened again. */
  private isOpen({ key, open }: PartitionInHand): boolean {
    return this.open.get(key) === open;
  }

  private handled(inHand: PartitionInHand, messages: readonly KafkaMessage[]): void {
    const { open, key, payload, messages: all } = inHand;
    const last = messages.at(-1);
    if (last === undefined) return;
    if (this.isOpen(inHand)) this.showOldest(open.slot, all[all.indexOf(last) + 1]);
    open.position = offsetBehind(inHand, messages);
    open.failures = 0;
    this.troubles.delete(key);
    payload.resolveOffset(last.offset);
  }

  private showOldest(slot: SlotId, message: KafkaMessage | undefined): void {
    this.options.metrics.oldestUnhandled?.(slot, message === undefined ? undefined : Number(message.timestamp));
  }

  /** Another replica may have the partition from now on: what this one last knew of it must not stay in its metrics. */
  private showNothingOf(slot: SlotId): void {
    this.showOldest(slot, undefined);
    this.options.metrics.lag?.(slot, undefined);
  }

  private reopen({ consumer, payload, key, slot, assignment }: PartitionInHand): void {
    payload.pause();
    this.open.delete(key);
    this.showNothingOf(slot);
    void this.openPartition(consumer, slot.topic, slot.partition, assignment);
  }

  /** A transient error: this partition waits, the others flow; the batch comes again. */
  private holdBack({ payload, key, open }: PartitionInHand, error: unknown): void {
    open.failures += 1;
    const delayMs = backoffMs(open.failures);
    this.troubles.set(key, `${this.subscription.group} on ${key}: ${describeError(error)}`);
    this.options.logger.warn({ err: error, partition: key, failures: open.failures, delayMs }, 'a batch is put off');
    const resume = payload.pause();
    setTimeout(() => {
      if (this.open.get(key) === open && !this.stopped) resume();
    }, delayMs).unref();
  }

  /** Until a moment after the fetch. */
  private async linger(): Promise<void> {
    const ms = this.fetchedAt + (this.subscription.lingerMs ?? DEFAULT_LINGER_MS) - performance.now();
    if (ms > 0 && !this.stopped) await new Promise((resolve) => setTimeout(resolve, ms));
  }

  private async commitHint(payload: BatchPayload): Promise<void> {
    if (performance.now() - this.hintedAt < COMMIT_HINT_INTERVAL_MS) return;
    this.hintedAt = performance.now();
    await payload.commitOffsetsIfNecessary(payload.uncommittedOffsets()).catch((error: unknown) => {
      this.options.logger.debug({ err: error, group: this.subscription.group }, 'the offset hint was not committed');
    });
  }
}
