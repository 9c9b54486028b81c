import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventBus } from '../event-bus.js';
import { newGroup, publish } from '../conformance/bus-stack.js';
import { countEffects, effects, until, writeEffects } from '../conformance/effects.js';
import { createKafkaStack, type KafkaStack } from '../conformance/kafka-stack.js';

/** Partitions of a topic of the stack; which of them a key goes to does not matter here. */
const PARTITIONS = [0, 1, 2];

let stack: KafkaStack;
beforeEach(async () => {
  stack = await createKafkaStack();
});
afterEach(() => stack.close());

/** Removes everything that is in the topic now. */
async function expire(): Promise<void> {
  const admin = stack.kafka.admin();
  await admin.connect();
  const ends = new Map((await admin.fetchTopicOffsets(stack.topic)).map(({ partition, high }) => [partition, high]));
  await admin.deleteTopicRecords({
    topic: stack.topic,
    partitions: PARTITIONS.map((partition) => ({ partition, offset: ends.get(partition) ?? '0' })),
  });
  await admin.disconnect();
}

async function start(group: string, complete: boolean): Promise<EventBus> {
  const bus = stack.newReplica();
  bus.subscribeShared(stack.consumer, { group, topics: [stack.topic], handle: writeEffects, complete });
  await bus.start();
  return bus;
}

describe('events that Kafka dropped before a group had read them', () => {
  /** A group that has read `[1]`, and misses `[2]`; `[3]` is there. */
  const missed = async (group: string, complete: boolean): Promise<void> => {
    const first = await start(group, complete);
    await publish(stack, 'a', [1]);
    await until('the first effect', async () => (await countEffects(stack.consumer)) >= 1);
    await first.stop();
    const relay = stack.newReplica();
    await relay.start();
    await publish(stack, 'a', [2]);
    await until('the second event in the topic', async () => (await recordsOf()) >= 2);
    await expire();
    await publish(stack, 'a', [3]);
    await until('the third event in the topic', async () => (await recordsOf()) >= 3);
  };
  /** Records ever written; markers of transactions count too, so at least as many as events. */
  const recordsOf = async (): Promise<number> => {
    const { rows } = await stack.producer.query<{ events: number }>('SELECT count(*)::int AS events FROM events');
    const admin = stack.kafka.admin();
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(stack.topic);
    await admin.disconnect();
    const written = offsets.reduce((sum, { high }) => sum + Math.ceil(Number(high) / 2), 0);
    return Math.min(written, rows[0]?.events ?? 0);
  };

  it('make a group that must be complete stand still and say where, until an operator moves its position', async () => {
    const group = newGroup();
    await missed(group, true);
    const bus = await start(group, true);
    await until('the trouble', () => /expired before they were read/.test(bus.health().detail));
    expect(bus.health().ready).toBe(false);
    expect(await effects(stack.consumer)).toEqual({ a: [1] });
    const low = /position in consumer_positions to (\d+)/.exec(bus.health().detail)?.[1];
    await stack.consumer.query(
      "UPDATE consumer_positions SET position = $2 WHERE consumer_group = $1 AND position <> '0'",
      [group, low],
    );
    await until('the third effect', async () => (await countEffects(stack.consumer)) >= 2);
    expect(await effects(stack.consumer)).toEqual({ a: [1, 3] });
  });

  it('are passed over by a group that may miss some', async () => {
    const group = newGroup();
    await missed(group, false);
    await start(group, false);
    await until('the third effect', async () => (await countEffects(stack.consumer)) >= 2);
    expect(await effects(stack.consumer)).toEqual({ a: [1, 3] });
  });
});

describe('events that Kafka dropped after a group had read them', () => {
  /** A group that has read `[1, 2]`, of which nothing is in the topic any more. */
  const readAndExpired = async (group: string): Promise<void> => {
    const first = await start(group, true);
    await publish(stack, 'a', [1, 2]);
    await until('both effects', async () => (await countEffects(stack.consumer)) >= 2);
    await first.stop();
    await expire();
  };
  const goesOn = async (group: string): Promise<void> => {
    const bus = await start(group, true);
    await until('an answer', () => bus.health().ready || /expired/.test(bus.health().detail));
    expect(bus.health()).toMatchObject({ ready: true });
    await publish(stack, 'a', [3]);
    await until('the third effect', async () => (await countEffects(stack.consumer)) >= 3);
    expect(await effects(stack.consumer)).toEqual({ a: [1, 2, 3] });
  };

  it('are not missed', async () => {
    const group = newGroup();
    await readAndExpired(group);
    await goesOn(group);
  });

  it('are not missed either where the position stands before the mark of their transaction', async () => {
    const group = newGroup();
    await readAndExpired(group);
    const { rowCount } = await stack.consumer.query(
      "UPDATE consumer_positions SET position = (position::bigint - 1)::text WHERE consumer_group = $1 AND position <> '0'",
      [group],
    );
    expect(rowCount).toBe(1);
    await goesOn(group);
  });
});
