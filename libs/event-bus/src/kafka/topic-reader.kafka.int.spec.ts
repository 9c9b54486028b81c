import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requireEnvironment } from '@capability-router/event-store/testing';
import { publish } from '../conformance/bus-stack.js';
import { createKafkaStack, type KafkaStack } from '../conformance/kafka-stack.js';
import { TopicReader } from './topic-reader.js';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const PER_KEY = 40;
const PUBLISH_TIMEOUT_MS = 100_000;

describe('reading what is in a topic now', () => {
  let stack: KafkaStack;
  let reader: TopicReader;

  beforeAll(async () => {
    stack = await createKafkaStack();
    reader = new TopicReader({ brokers: requireEnvironment('TEST_KAFKA_BROKERS').split(','), clientId: 'reader' });
    expect(await read()).toEqual({ values: [], result: { events: 0, malformed: 0, expired: false } });
    const bus = stack.newReplica();
    await bus.start();
    for (const key of KEYS)
      await publish(
        stack,
        key,
        Array.from({ length: PER_KEY }, (_, value) => value),
      );
    const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
    while ((await read()).result.events < KEYS.length * PER_KEY) {
      if (performance.now() > deadline) throw new Error('not everything was published');
    }
  }, 120_000);
  afterAll(async () => {
    await reader.close();
    await stack.close();
  }, 120_000);

  async function read(options: Omit<Parameters<TopicReader['read']>[1], 'handle'> = {}) {
    const values: [string, unknown, number][] = [];
    const result = await reader.read(stack.topic, {
      ...options,
      handle: (event, partition) => void values.push([event.partitionKey, event.data['value'], partition]),
    });
    return { values, result };
  }

  async function offsets(): Promise<{ partition: number; high: string }[]> {
    const admin = stack.kafka.admin();
    await admin.connect();
    try {
      return await admin.fetchTopicOffsets(stack.topic);
    } finally {
      await admin.disconnect();
    }
  }

  it('gives every event once, in order per key, and ends behind the mark of the last transaction', async () => {
    const { values, result } = await read();
    expect(result).toEqual({ events: KEYS.length * PER_KEY, malformed: 0, expired: false });
    for (const key of KEYS) {
      const ofKey = values.filter(([name]) => name === key).map(([, value]) => value);
      expect([key, ofKey]).toEqual([key, Array.from({ length: PER_KEY }, (_, value) => value)]);
    }
  });

  it('begins at the offsets that it is given, and where none is given at the beginning', async () => {
    const all = (await read()).values;
    const partition = all[0]?.[2] ?? 0;
    const end = (await offsets()).find((each) => each.partition === partition)?.high ?? '0';
    const others = all.filter(([, , at]) => at !== partition);
    const rest = (await read({ from: new Map([[partition, BigInt(end)]]) })).values;
    expect(rest.sort()).toEqual(others.sort());
    expect(others.length).toBeLessThan(all.length);
  });

  it('passes over what was written before a time', async () => {
    expect((await read({ writtenAfterMs: Date.now() + 3_600_000 })).values).toEqual([]);
    expect((await read({ writtenAfterMs: Date.now() - 3_600_000 })).result.events).toBe(KEYS.length * PER_KEY);
  });

  it('fails with what its handler threw', async () => {
    const handle = (): never => {
      throw new Error('enough');
    };
    await expect(reader.read(stack.topic, { handle })).rejects.toThrow('enough');
  });

  it('says that records were deleted', async () => {
    const partition = (await read()).values[0]?.[2] ?? 0;
    const admin = stack.kafka.admin();
    await admin.connect();
    await admin.fetchTopicMetadata({ topics: [stack.topic] });
    await admin.deleteTopicRecords({ topic: stack.topic, partitions: [{ partition, offset: '3' }] });
    await admin.disconnect();
    const { result } = await read();
    expect(result.expired).toBe(true);
    expect(result.events).toBeLessThan(KEYS.length * PER_KEY);
  });

  it('leaves no consumer group behind', async () => {
    await read();
    const admin = stack.kafka.admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    await admin.disconnect();
    expect(groups.filter(({ groupId }) => groupId.startsWith('reader-read-'))).toEqual([]);
  });
});
