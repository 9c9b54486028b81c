import { createKafka, silentLogger, type Admin, type Kafka } from '@capability-router/event-bus/kafka-client';

const PARTITIONS = 3;
/** Milliseconds. */
const TIMEOUT_MS = 30_000;
const POLL_MS = 20;

/** Comma-separated. */
export function testBrokers(): string {
  const found = process.env['TEST_KAFKA_BROKERS'];
  if (found === undefined) throw new Error('TEST_KAFKA_BROKERS must name a Kafka broker for tests');
  return found;
}

export const testKafka = (): Kafka =>
  createKafka({ brokers: testBrokers().split(','), clientId: 'finance-test', logger: silentLogger });

export { createTransactionalProducer as createProducer } from '@capability-router/event-bus/kafka-client';

/** Waits for their leaders. kafkajs can wait too, but gives up where a broker does not know the topic yet. */
export async function createTopics(admin: Admin, names: readonly string[]): Promise<void> {
  const topics = names.map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor: 1 }));
  await admin.createTopics({ waitForLeaders: false, topics });
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      await Promise.all(names.map((name) => admin.fetchTopicOffsets(name)));
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
