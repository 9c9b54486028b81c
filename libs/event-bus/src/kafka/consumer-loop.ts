import type { Consumer, ConsumerConfig, EachBatchHandler, Kafka } from 'kafkajs';
import type { BusLogger } from '../logger.js';
import { backoffMs } from '../shared/backoff.js';
import { Idle } from '../shared/idle.js';
import { describeError } from '../shared/park.js';

export interface Assignment {
  topic: string;
  partitions: number[];
}

export interface ConsumerLoopOptions {
  kafka: Kafka;
  groupId: string;
  topics: readonly string[];
  fromBeginning: boolean;
  partitionsConcurrently: number;
  /** Milliseconds; 10,000 where absent. */
  sessionTimeoutMs?: number | undefined;
  logger: BusLogger;
  /**
   * Called with every new assignment, before anything of it is fetched. All its partitions are paused: seek, then
   * resume. `consumer` is the one to do it on.
   */
  onAssigned(consumer: Consumer, assignment: readonly Assignment[]): void;
  eachBatch(consumer: Consumer, payload: Parameters<EachBatchHandler>[0]): Promise<void>;
  /** A fetch has come back; its batches follow. */
  onFetched?(): void;
}

const DEFAULT_SESSION_TIMEOUT_MS = 10_000;
/** Milliseconds for which a start waits until the group has taken the consumer in: one that died holds that up for its session. */
const JOIN_PATIENCE_MS = 4_000;
/** A session outlives the loss of a few heartbeats. */
const HEARTBEATS_PER_SESSION = 5;
const config: Omit<ConsumerConfig, 'groupId'> = {
  rebalanceTimeout: 60_000,
  /** Also how long a consumer sleeps whose partitions are all paused. */
  maxWaitTimeInMs: 500,
  maxBytesPerPartition: 1_048_576,
  readUncommitted: false,
  allowAutoTopicCreation: false,
  retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 5, restartOnFailure: async () => false },
};

/** Keeps one kafkajs consumer alive: a crashed one is replaced by a new one after a pause. */
export class ConsumerLoop {
  private readonly idle = new Idle(1_000);
  private running: Promise<void> | undefined;
  private lastTrouble: string | undefined = 'not connected yet';
  private connectedAtMs: number | undefined;
  private end: (() => void) | undefined;

  constructor(private readonly options: ConsumerLoopOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.idle.close();
    this.end?.();
    await this.running;
  }

  trouble(): string | undefined {
    return this.lastTrouble === undefined ? undefined : `${this.options.groupId}: ${this.lastTrouble}`;
  }

  /** False: a start waits for it. The group may take it in later, because no request needs it. */
  hasBegun(): boolean {
    if (this.lastTrouble === undefined) return true;
    return this.connectedAtMs !== undefined && performance.now() - this.connectedAtMs >= JOIN_PATIENCE_MS;
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.idle.closed) {
      try {
        await this.consume(() => {
          failures = 0;
          this.lastTrouble = undefined;
        });
      } catch (error) {
        failures += 1;
        this.connectedAtMs = undefined;
        this.lastTrouble = describeError(error);
        this.options.logger.warn({ err: error, group: this.options.groupId, failures }, 'a consumer crashed');
        await this.idle.pause(backoffMs(failures));
      }
    }
  }

  private async consume(onJoined: () => void): Promise<void> {
    const { kafka, groupId, topics, fromBeginning } = this.options;
    const sessionTimeout = this.options.sessionTimeoutMs ?? DEFAULT_SESSION_TIMEOUT_MS;
    const heartbeatInterval = sessionTimeout / HEARTBEATS_PER_SESSION;
    const consumer = kafka.consumer({ ...config, groupId, sessionTimeout, heartbeatInterval });
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning });
      this.connectedAtMs = performance.now();
      this.lastTrouble = 'not in its group yet';
      const ended = new Promise<void>((resolve, reject) => {
        this.end = resolve;
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      });
      // The pause takes effect before the first fetch, because kafkajs calls this listener while it joins.
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        const assignment = Object.entries(payload.memberAssignment).map(([topic, partitions]) => ({
          topic,
          partitions,
        }));
        if (assignment.length > 0) consumer.pause(assignment);
        this.options.onAssigned(consumer, assignment);
        onJoined();
      });
      consumer.on(consumer.events.FETCH, () => this.options.onFetched?.());
      if (this.idle.closed) return;
      ended.catch(() => undefined);
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.options.partitionsConcurrently,
        eachBatch: (payload) => this.options.eachBatch(consumer, payload),
      });
      await ended;
    } finally {
      await consumer.disconnect().catch(() => undefined);
    }
  }
}
