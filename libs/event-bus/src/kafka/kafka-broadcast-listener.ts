import type { EventEnvelope } from '@capability-router/contracts';
import type { Kafka } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import type { BroadcastListener } from '../event-bus.js';
import type { BusLogger } from '../logger.js';
import { fromRecord } from './cloud-events.js';
import { ConsumerLoop } from './consumer-loop.js';
import { deleteGroup } from './delete-group.js';
import type { PartitionOffsets } from './partition-offsets.js';

/** Its own group per replica, positions in memory only, from the end of every partition at the time of `listen`. */
export class KafkaBroadcastListener implements BroadcastListener {
  private loop: ConsumerLoop | undefined;
  private readonly groupId: string;

  constructor(
    private readonly options: {
      kafka: Kafka;
      clientId: string;
      offsets: PartitionOffsets;
      logger: BusLogger;
      onClose: () => void;
    },
  ) {
    this.groupId = `${options.clientId}-broadcast-${randomUUID()}`;
  }

  async listen(topics: readonly string[], handle: (event: EventEnvelope) => void): Promise<void> {
    const next = new Map<string, string>();
    for (const topic of topics) {
      for (const [partition, { high }] of await this.options.offsets.of(topic)) {
        next.set(`${topic}/${partition}`, high.toString());
      }
    }
    const { kafka, logger } = this.options;
    this.loop = new ConsumerLoop({
      kafka,
      groupId: this.groupId,
      topics,
      // Partitions that are added later are heard from their start.
      fromBeginning: true,
      partitionsConcurrently: 1,
      logger,
      onAssigned: (consumer, assignment) => {
        for (const { topic, partitions } of assignment) {
          for (const partition of partitions) {
            consumer.seek({ topic, partition, offset: next.get(`${topic}/${partition}`) ?? '0' });
          }
        }
        if (assignment.length > 0) consumer.resume([...assignment]);
      },
      eachBatch: async (_consumer, { batch, resolveOffset, heartbeat }) => {
        for (const message of batch.messages) {
          const { event, malformed } = fromRecord(batch.topic, batch.partition, message);
          if (malformed === undefined) handle(event);
          else logger.error({ topic: batch.topic, offset: message.offset }, malformed);
        }
        resolveOffset(batch.lastOffset());
        next.set(`${batch.topic}/${batch.partition}`, (BigInt(batch.lastOffset()) + 1n).toString());
        await heartbeat();
      },
    });
    this.loop.start();
  }

  isReading(): boolean {
    return this.loop !== undefined && this.loop.trouble() === undefined;
  }

  trouble(): string | undefined {
    return this.loop?.trouble();
  }

  async close(): Promise<void> {
    this.options.onClose();
    if (this.loop === undefined) return;
    await this.loop.stop();
    await deleteGroup(this.options.kafka, this.groupId, this.options.logger);
  }
}
