import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { newGroup } from '../conformance/bus-stack.js';
import { until, writeEffects } from '../conformance/effects.js';
import { createKafkaStack, type KafkaStack } from '../conformance/kafka-stack.js';

jest.setTimeout(120_000);

let stack: KafkaStack;
beforeEach(async () => {
  stack = await createKafkaStack();
});
afterEach(() => stack.close());

/** Joins the group, and says nothing any more, as one that was killed: the broker counts it in until its session is over. */
async function joinAndDie(group: string): Promise<() => Promise<void>> {
  const producer = stack.kafka.producer();
  await producer.connect();
  await producer.send({ topic: stack.topic, messages: [{ key: 'a', value: '1' }] });
  await producer.disconnect();
  const consumer = stack.kafka.consumer({ groupId: group, sessionTimeout: 60_000, rebalanceTimeout: 60_000 });
  await consumer.connect();
  await consumer.subscribe({ topics: [stack.topic], fromBeginning: true });
  let revive = (): void => undefined;
  await new Promise<void>((hangs, fails) => {
    const hang = (): Promise<void> => {
      hangs();
      return new Promise((resolve) => (revive = resolve));
    };
    consumer.run({ eachMessage: hang }).catch(fails);
  });
  return async () => {
    revive();
    await consumer.disconnect();
  };
}

it('a replica is ready although its group waits for a member that has died', async () => {
  const group = newGroup();
  const revive = await joinAndDie(group);
  const bus = stack.newReplica();
  bus.subscribeShared(stack.consumer, { group, topics: [stack.topic], handle: writeEffects });
  await bus.start();
  await until('readiness', () => bus.health().ready);
  expect(bus.health().detail).toContain(`${group}: not in its group yet`);
  await revive();
});
