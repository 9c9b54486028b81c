import { requireEnvironment } from '@capability-router/event-store/testing';
import type { Kafka } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { createKafkaEventBus } from '../kafka/create-kafka-event-bus.js';
import { createKafka } from '../kafka/kafka-client.js';
import { silentLogger } from '../logger.js';
import { createTopics } from '../testing/create-topics.js';
import { type BusStack, createStack } from './bus-stack.js';

const PARTITIONS = 3;
/** The least that a broker allows by default; a stalled consumer loses its partitions after it. */
const SESSION_TIMEOUT_MS = 6_000;

export interface KafkaStack extends BusStack {
  readonly kafka: Kafka;
  readonly deadLetterTopic: string;
  readonly transactionalIdPrefix: string;
}

export function testKafka(): Kafka {
  const brokers = requireEnvironment('TEST_KAFKA_BROKERS').split(',');
  return createKafka({ brokers, clientId: 'conformance', logger: silentLogger });
}

/** Topics of its own on the broker of TEST_KAFKA_BROKERS. */
export async function createKafkaStack(): Promise<KafkaStack> {
  const kafka = testKafka();
  const name = `conformance-${randomUUID()}`;
  const deadLetterTopic = `${name}-dead-letters`;
  const transactionalIdPrefix = `${name}-`;
  const admin = kafka.admin();
  await admin.connect();
  const topics = [name, deadLetterTopic];
  await createTopics(admin, topics, PARTITIONS);
  const stack = await createStack(
    name,
    ({ metrics, logger }) =>
      createKafkaEventBus({
        brokers: requireEnvironment('TEST_KAFKA_BROKERS').split(','),
        clientId: 'conformance',
        logger: logger ?? silentLogger,
        ...(metrics === undefined ? {} : { metrics }),
        pollIntervalMs: 20,
        sessionTimeoutMs: SESSION_TIMEOUT_MS,
        transactionalIdPrefix,
        deadLetterTopic,
      }),
    async () => {
      await admin.deleteTopics({ topics });
      await admin.disconnect();
    },
  );
  return { ...stack, kafka, deadLetterTopic, transactionalIdPrefix };
}
