import type { Admin, Kafka } from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../shared/backoff.js';

export interface OffsetRange {
  /** The offset of the oldest record that is kept. */
  low: bigint;
  /** The offset of the next record that will be written. */
  high: bigint;
}

/** Milliseconds for which a look-up waits for partitions to have a leader: that of a broker that died is replaced after its session, 9 s. */
const LEADER_PATIENCE_MS = 10_000;
/** Topics that were made a moment ago, and leaders that have moved: the broker that is asked does not lead, or not yet. */
const leaderless: ReadonlySet<unknown> = new Set(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE']);

/** One admin connection for all look-ups of a bus; connects with the first one. */
export class PartitionOffsets {
  private connected: Promise<Admin> | undefined;
  private readonly outdated = new WeakSet<Admin>();
  private closed = false;
  private readonly inFlight = new Map<string, Promise<Map<number, OffsetRange>>>();

  constructor(private readonly kafka: Kafka) {}

  /** By partition. Questions about one topic at the same time share an answer. Partitions without a leader are waited for. */
  of(topic: string): Promise<Map<number, OffsetRange>> {
    const asked = this.inFlight.get(topic);
    if (asked !== undefined) return asked;
    const answer = this.fetch(topic).finally(() => this.inFlight.delete(topic));
    this.inFlight.set(topic, answer);
    return answer;
  }

  async close(): Promise<void> {
    this.closed = true;
    const admin = await this.connected?.catch(() => undefined);
    await admin?.disconnect();
  }

  private async fetch(topic: string): Promise<Map<number, OffsetRange>> {
    const deadline = performance.now() + LEADER_PATIENCE_MS;
    for (let failures = 1; ; failures += 1) {
      const admin = await this.connect();
      try {
        const offsets = await admin.fetchTopicOffsets(topic);
        return new Map(
          offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]),
        );
      } catch (error) {
        // A look-up beside this one may have closed the connection.
        const mayBeAskedAgain = leaderless.has((error as { type?: unknown }).type) || this.outdated.has(admin);
        if (!mayBeAskedAgain || performance.now() > deadline) throw error;
        await this.outdate(admin);
        await pause(backoffMs(failures));
      }
    }
  }

  /** kafkajs believes for minutes in the leaders that it has heard of, and hears of them anew where it connects. */
  private async outdate(admin: Admin): Promise<void> {
    if (this.outdated.has(admin)) return;
    this.outdated.add(admin);
    this.connected = undefined;
    await admin.disconnect();
  }

  private connect(): Promise<Admin> {
    if (this.closed) return Promise.reject(new Error('the look-up of offsets is closed'));
    this.connected ??= (async () => {
      const admin = this.kafka.admin();
      await admin.connect();
      return admin;
    })().catch((error: unknown) => {
      this.connected = undefined;
      throw error;
    });
    return this.connected;
  }
}
