import type { Admin, Kafka } from 'kafkajs';

export interface OffsetRange {
  /** The offset of the oldest record that is kept. */
  low: bigint;
  /** The offset of the next record that will be written. */
  high: bigint;
}

/** One admin connection for all look-ups of a bus; connects with the first one. */
export class PartitionOffsets {
  private connected: Promise<Admin> | undefined;
  private readonly inFlight = new Map<string, Promise<Map<number, OffsetRange>>>();

  constructor(private readonly kafka: Kafka) {}

  /** By partition. Questions about one topic at the same time share an answer. */
  of(topic: string): Promise<Map<number, OffsetRange>> {
    const asked = this.inFlight.get(topic);
    if (asked !== undefined) return asked;
    const answer = this.fetch(topic).finally(() => this.inFlight.delete(topic));
    this.inFlight.set(topic, answer);
    return answer;
  }

  private async fetch(topic: string): Promise<Map<number, OffsetRange>> {
    const admin = await this.connect();
    const offsets = await admin.fetchTopicOffsets(topic);
    return new Map(offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]));
  }

  async close(): Promise<void> {
    const admin = await this.connected?.catch(() => undefined);
    await admin?.disconnect();
  }

  private connect(): Promise<Admin> {
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
