import { deadLetterTopic } from '@capability-router/contracts';
import type { Kafka, Producer } from 'kafkajs';
import type { ParkedCopy } from '../shared/chunk-processor.js';
import { toRecord } from './cloud-events.js';
import { createPlainProducer } from './kafka-client.js';

/** Copies parked events to the dead-letter topic, for people; connects with the first one. */
export class DeadLetters {
  private connected: Promise<Producer> | undefined;

  constructor(
    private readonly kafka: Kafka,
    private readonly topic: string = deadLetterTopic.name,
  ) {}

  async send(parked: readonly ParkedCopy[]): Promise<void> {
    const producer = await this.connect();
    await producer.send({
      topic: this.topic,
      acks: -1,
      messages: parked.map(({ event, group, reason }) => {
        const record = toRecord(event);
        const origin = { 'dead-letter-group': group, 'dead-letter-topic': event.topic, 'dead-letter-reason': reason };
        return { ...record, headers: { ...record.headers, ...origin } };
      }),
    });
  }

  async close(): Promise<void> {
    const producer = await this.connected?.catch(() => undefined);
    await producer?.disconnect();
  }

  private connect(): Promise<Producer> {
    this.connected ??= (async () => {
      const producer = createPlainProducer(this.kafka);
      await producer.connect();
      return producer;
    })().catch((error: unknown) => {
      this.connected = undefined;
      throw error;
    });
    return this.connected;
  }
}
