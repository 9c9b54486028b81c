import type { EventEnvelope } from '@capability-router/contracts';
import type { Kafka } from 'kafkajs';
import { type KafkaRecord, toRecord } from './cloud-events.js';
import { createTransactionalProducer } from './kafka-client.js';

/** Bytes of one request, well below the broker's limit of a batch (1 MiB) even if all fall into one partition. */
const MAX_REQUEST_BYTES = 512 * 1024;
/** Headers and framing of a record, roughly. */
const RECORD_OVERHEAD_BYTES = 600;

export interface RelayPublisher {
  /** All or nothing, in order per key. Throws for a zombie; the publisher is of no use after any throw. */
  publish(events: readonly EventEnvelope[]): Promise<void>;
  close(): Promise<void>;
}

/** Opening fences every earlier publisher of the same relay: the broker refuses whatever it still sends or commits. */
export async function openRelayPublisher(kafka: Kafka, transactionalId: string): Promise<RelayPublisher> {
  const producer = createTransactionalProducer(kafka, transactionalId);
  await producer.connect();
  // kafkajs takes its producer epoch, which is what fences, only with the first transaction.
  try {
    await (await producer.transaction()).abort();
  } catch (error) {
    await producer.disconnect().catch(() => undefined);
    throw error;
  }
  return {
    async publish(events) {
      const transaction = await producer.transaction();
      try {
        for (const slice of slices(events)) {
          await transaction.sendBatch({ acks: -1, topicMessages: slice });
        }
        await transaction.commit();
      } catch (error) {
        // Best effort: whoever opens the relay next aborts what is left open.
        if (transaction.isActive()) await transaction.abort().catch(() => undefined);
        throw error;
      }
    },
    close: () => producer.disconnect(),
  };
}

interface TopicMessages {
  topic: string;
  messages: KafkaRecord[];
}

function* slices(events: readonly EventEnvelope[]): Generator<TopicMessages[]> {
  let byTopic = new Map<string, KafkaRecord[]>();
  let bytes = 0;
  for (const event of events) {
    const record = toRecord(event);
    const size = Buffer.byteLength(record.value) + RECORD_OVERHEAD_BYTES;
    if (bytes > 0 && bytes + size > MAX_REQUEST_BYTES) {
      yield toTopicMessages(byTopic);
      byTopic = new Map();
      bytes = 0;
    }
    const records = byTopic.get(event.topic);
    if (records === undefined) byTopic.set(event.topic, [record]);
    else records.push(record);
    bytes += size;
  }
  if (byTopic.size > 0) yield toTopicMessages(byTopic);
}

const toTopicMessages = (byTopic: Map<string, KafkaRecord[]>): TopicMessages[] =>
  [...byTopic].map(([topic, messages]) => ({ topic, messages }));
