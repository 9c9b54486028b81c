import {
  createKafka,
  silentLogger,
  type Consumer,
  type EachBatchPayload,
  type Kafka,
  type KafkaConnection,
} from '@capability-router/event-bus/kafka-client';
import type { Recorder } from './recorder.js';
import { allTopics, balances } from './streams.js';

export interface ConsumeOptions {
  readonly kafka: KafkaConnection;
  /** The prefix of the topics' names, such as the name of the cluster that they are mirrored from. */
  readonly topicPrefix: string;
  /** Milliseconds after which what was read is written, however little it is. */
  readonly flushIntervalMs: number;
  /** Ends when everything was read that the topics held at the start. */
  readonly untilEnd: boolean;
  readonly signal: AbortSignal;
}

/** Milliseconds until the partitions of a process that was killed go to the next one. */
const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_INTERVAL_MS = 2_000;
/** Milliseconds from the start in which nobody may coordinate the group yet: a broker loads it first. */
const COORDINATOR_TIMEOUT_MS = 60_000;
/** As kafkajs names them; it waits for a while for the one and does not for the other. */
const withoutCoordinator = ['GROUP_COORDINATOR_NOT_AVAILABLE', 'GROUP_LOAD_IN_PROGRESS'];
/** Bytes of one fetch of one partition, and of all together. */
const FETCH_PARTITION_BYTES = 262_144;
const FETCH_BYTES = 4 * 1_048_576;
const MAX_WAIT_MS = 500;
/** Milliseconds without a record after which a compacted topic counts as read: compaction may have taken its last offset. */
const COMPACTED_IDLE_MS = 5_000;

/** One line a warning, on standard error: standard output is the report. */
const say = (_: object, message: string): void => console.error(message);
const logger = { ...silentLogger, error: say, warn: say };

interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** Reads until the signal, or until the end. Throws where the broker or the disk fails; then start it again. */
export async function consume(recorder: Recorder, options: ConsumeOptions): Promise<void> {
  const kafka = createKafka({ ...options.kafka, clientId: 'finance-consumer', logger });
  const ends = await rangesOf(kafka, options.topicPrefix);
  for (const [key, { high }] of ends) {
    const [topic, partition] = splitKey(key);
    if (recorder.next(topic, partition) <= high) continue;
    throw new Error(
      `${key} ends at ${high} and was read up to ${recorder.next(topic, partition)}: was it created anew?`,
    );
  }
  const startedAt = performance.now();
  const consumer = kafka.consumer({
    groupId: `finance-consumer-${recorder.state.id}`,
    sessionTimeout: SESSION_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_INTERVAL_MS,
    maxBytesPerPartition: FETCH_PARTITION_BYTES,
    maxBytes: FETCH_BYTES,
    maxWaitTimeInMs: MAX_WAIT_MS,
    allowAutoTopicCreation: false,
    // Only what was committed by its producer.
    readUncommitted: false,
    retry: {
      restartOnFailure: (error) =>
        Promise.resolve(isWithoutCoordinator(error) && performance.now() - startedAt < COORDINATOR_TIMEOUT_MS),
    },
  });
  await new ConsumeRun(recorder, options, consumer, ends).run();
}

class ConsumeRun {
  private end: (() => void) | undefined;
  private fail: ((error: unknown) => void) | undefined;
  private hinted = 0;
  private lastRecordAt = performance.now();
  /** One thing at a time touches the recorder. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly recorder: Recorder,
    private readonly options: ConsumeOptions,
    private readonly consumer: Consumer,
    private readonly ends: ReadonlyMap<string, Range>,
  ) {}

  async run(): Promise<void> {
    const { consumer } = this;
    const ended = new Promise<void>((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (!payload.restart) reject(payload.error);
      });
    });
    ended.catch(() => undefined);
    // The stored offsets are the truth, whatever the group committed: set before the first fetch.
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => this.seek(payload.memberAssignment));
    // A batch of nothing but the marks of transactions is not handed to `eachBatch`.
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, partition, lastOffset, batchSize } }) => {
      if (batchSize > 0) return;
      const next = BigInt(lastOffset) + 1n;
      void this.serially(() => Promise.resolve(this.recorder.passed(this.known(topic), partition, next)));
    });
    this.options.signal.addEventListener('abort', () => this.end?.(), { once: true });
    const timer = setInterval(() => this.tick(), this.options.flushIntervalMs);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: allTopics.map((topic) => this.named(topic)), fromBeginning: true });
      if (this.options.signal.aborted) return;
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 1,
        eachBatch: (payload) => this.serially(() => this.take(payload)),
      });
      await ended;
    } finally {
      clearInterval(timer);
      await consumer.stop().catch(() => undefined);
      await this.queue.catch(() => undefined);
      await consumer.disconnect().catch(() => undefined);
    }
    await this.recorder.flush();
  }

  private seek(assignment: Readonly<Record<string, readonly number[]>>): void {
    for (const [name, partitions] of Object.entries(assignment)) {
      const topic = this.known(name);
      for (const partition of partitions) {
        const low = this.ends.get(`${topic}/${partition}`)?.low ?? 0n;
        const next = this.recorder.next(topic, partition);
        // Where records expired, the numbers that are missing are named when the next one comes.
        this.consumer.seek({ topic: name, partition, offset: (next < low ? low : next).toString() });
      }
    }
  }

  private async take({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    if (!isRunning() || isStale()) return;
    const { partition } = batch;
    const topic = this.known(batch.topic);
    this.lastRecordAt = performance.now();
    await this.recorder.take(
      batch.messages.map((message) => ({
        topic,
        partition,
        offset: message.offset,
        type: message.headers?.['ce_type']?.toString(),
        value: message.value,
      })),
    );
    this.recorder.passed(topic, partition, BigInt(batch.lastOffset()) + 1n);
    resolveOffset(batch.lastOffset());
    await heartbeat();
  }

  private tick(): void {
    void this.serially(async () => {
      await this.recorder.flush();
      await this.hint();
      if (this.options.untilEnd && this.atEnd()) this.end?.();
    }).catch((error: unknown) => this.fail?.(error));
  }

  private atEnd(): boolean {
    const idle = performance.now() - this.lastRecordAt > COMPACTED_IDLE_MS;
    return [...this.ends].every(([key, { low, high }]) => {
      const [topic, partition] = splitKey(key);
      return high === low || this.recorder.next(topic, partition) >= high || (topic === balances.topic && idle);
    });
  }

  /** For those who watch the lag of the group; nothing is read by it. */
  private async hint(): Promise<void> {
    if (this.recorder.commits === this.hinted) return;
    this.hinted = this.recorder.commits;
    const positions = [...this.recorder.storedOffsets()].map(([key, offset]) => {
      const [topic, partition] = splitKey(key);
      return { topic: this.named(topic), partition, offset: offset.toString() };
    });
    await this.consumer.commitOffsets(positions).catch(() => undefined);
  }

  private named(topic: string): string {
    return `${this.options.topicPrefix}${topic}`;
  }

  private known(name: string): string {
    return name.slice(this.options.topicPrefix.length);
  }

  private serially<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}

function isWithoutCoordinator(error: Error): boolean {
  if ('type' in error && withoutCoordinator.includes(String(error.type))) return true;
  return error.cause instanceof Error && isWithoutCoordinator(error.cause);
}

async function rangesOf(kafka: Kafka, prefix: string): Promise<Map<string, Range>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ranges = new Map<string, Range>();
    for (const topic of allTopics) {
      for (const { partition, low, high } of await admin.fetchTopicOffsets(`${prefix}${topic}`)) {
        ranges.set(`${topic}/${partition}`, { low: BigInt(low), high: BigInt(high) });
      }
    }
    return ranges;
  } finally {
    await admin.disconnect();
  }
}

function splitKey(key: string): [topic: string, partition: number] {
  const slash = key.lastIndexOf('/');
  return [key.slice(0, slash), Number(key.slice(slash + 1))];
}
