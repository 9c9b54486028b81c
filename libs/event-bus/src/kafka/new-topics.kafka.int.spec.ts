import { afterEach, beforeEach, it, jest } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { publish } from '../conformance/bus-stack.js';
import { until } from '../conformance/effects.js';
import { createKafkaStack, type KafkaStack } from '../conformance/kafka-stack.js';

jest.setTimeout(120_000);

/** Rounds, and partitions of a topic: a broker says which it leads before it has begun to lead all of them. */
const ROUNDS = 5;
const PARTITIONS = 50;

let stack: KafkaStack;
let admin: Admin;
let topics: string[];
beforeEach(async () => {
  stack = await createKafkaStack();
  admin = stack.kafka.admin();
  await admin.connect();
  topics = [];
});
afterEach(async () => {
  await admin.deleteTopics({ topics });
  await admin.disconnect();
  await stack.close();
});

it('a listener hears what is published to topics that were made a moment ago', async () => {
  const bus = stack.newReplica();
  await bus.start();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const topic = `${stack.topic}-new-${round}`;
    topics.push(topic);
    await admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions: PARTITIONS }] });
    const listener = bus.broadcastListener();
    const heard: unknown[] = [];
    await listener.listen([topic], ({ data }) => void heard.push(data['value']));
    await publish({ ...stack, topic }, 'a', [round]);
    await until('the event', () => heard.includes(round));
    await listener.close();
  }
});
