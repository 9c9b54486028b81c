import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { appendToStream } from '@capability-router/event-store';
import { newGroup } from '../conformance/bus-stack.js';
import { until } from '../conformance/effects.js';
import { createKafkaStack, type KafkaStack } from '../conformance/kafka-stack.js';

const KEYS = 30;
const EVENTS_PER_KEY = 40;
/** So large that one fetch does not bring all of a partition. */
const text = 'x'.repeat(20_000);

let stack: KafkaStack;
beforeEach(async () => {
  stack = await createKafkaStack();
});
afterEach(() => stack.close());

/** Events that a replica says are before it, by partition that it has. */
type Lags = Map<number, number>;

it('the lag of a partition is told by the replica that has it, and by no other', async () => {
  const relay = stack.newReplica();
  await relay.start();
  for (let key = 0; key < KEYS; key += 1) {
    const events = Array.from({ length: EVENTS_PER_KEY }, (_, value) => {
      return { type: 'Happened', topic: stack.topic, partitionKey: `k${key}`, data: { value, text } };
    });
    await appendToStream(stack.producer, 'execution', `s/${key}`, 'any', events);
  }
  const group = newGroup();
  let handled = 0;
  let isSlow = true;
  const start = async (): Promise<Lags> => {
    const lags: Lags = new Map();
    const bus = stack.newReplica({
      metrics: {
        lag: ({ partition }, events) => (events === undefined ? lags.delete(partition) : lags.set(partition, events)),
      },
    });
    bus.subscribeShared(stack.consumer, {
      group,
      topics: [stack.topic],
      maxBatch: 20,
      handle: async (events) => {
        handled += events.length;
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 400));
      },
    });
    await bus.start();
    return lags;
  };
  const first = await start();
  await until('a lag of each partition', () => first.size === 3 && [...first.values()].every((lag) => lag > 0));
  const second = await start();
  await until('a share for the second', () => second.size > 0);
  isSlow = false;
  await until('all events handled', () => handled >= KEYS * EVENTS_PER_KEY);
  await until('no lag', () => [...first.values(), ...second.values()].every((lag) => lag === 0));
  expect([...second.keys()].filter((partition) => first.has(partition))).toEqual([]);
});
