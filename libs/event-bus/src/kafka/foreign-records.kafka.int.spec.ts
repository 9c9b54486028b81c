import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newGroup } from '../conformance/bus-stack.js';
import { countEffects, effects, until, writeEffects } from '../conformance/effects.js';
import { createKafkaStack, type KafkaStack } from '../conformance/kafka-stack.js';
import { PermanentError } from '../shared/errors.js';

let stack: KafkaStack;
beforeEach(async () => {
  stack = await createKafkaStack();
});
afterEach(() => stack.close());

it('an event that somebody else wrote is parked also where PostgreSQL cannot hold its text, and others flow', async () => {
  const bus = stack.newReplica();
  bus.subscribeShared(stack.consumer, {
    group: newGroup(),
    topics: [stack.topic],
    handle: async (events, tx) => {
      const strange = events.find(({ data }) => data['text'] !== undefined);
      if (strange !== undefined)
        throw new PermanentError(`not of ours: ${JSON.stringify(strange.data).replaceAll('\\u0000', '\0')}`);
      await writeEffects(events, tx);
    },
  });
  await bus.start();
  const record = (key: string, data: object) => ({
    key,
    partition: 0,
    value: JSON.stringify(data),
    headers: {
      ce_id: randomUUID(),
      ce_type: 'Happened',
      ce_source: 'execution',
      ce_subject: key,
      ce_time: new Date().toISOString(),
      ce_partitionkey: key,
      ce_sequence: '1',
    },
  });
  const producer = stack.kafka.producer();
  await producer.connect();
  await producer.send({
    topic: stack.topic,
    messages: [
      record('a', { value: 1 }),
      record('b', { text: 'nul \0 and half \ud800', 'name \0': 1 }),
      record('c \0', { text: 'nul in its key' }),
      record('d', { value: 4 }),
    ],
  });
  await producer.disconnect();
  await until('the others', async () => (await countEffects(stack.consumer)) >= 2);
  expect(await effects(stack.consumer)).toEqual({ a: [1], d: [4] });
  const { rows } = await stack.consumer.query<{ partition_key: string; reason: string; data: unknown }>(
    "SELECT partition_key, reason, event->'data' AS data FROM parked_events ORDER BY partition_key",
  );
  expect(rows).toEqual([
    {
      partition_key: 'b',
      reason: expect.stringContaining('nul \uFFFD'),
      data: { text: 'nul \uFFFD and half \uFFFD', 'name \uFFFD': 1 },
    },
    { partition_key: 'c \uFFFD', reason: expect.any(String), data: { text: 'nul in its key' } },
  ]);
});
