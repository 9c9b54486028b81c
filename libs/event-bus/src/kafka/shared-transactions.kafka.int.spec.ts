import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EventEnvelope } from '@capability-router/contracts';
import { Partitioners } from 'kafkajs';
import { newGroup, publish } from '../conformance/bus-stack.js';
import { countEffects, effects, until, valueOf, writeEffects } from '../conformance/effects.js';
import { gatedPool } from '../conformance/gated-pool.js';
import { createKafkaStack, type KafkaStack } from '../conformance/kafka-stack.js';
import type { EventBus, SharedSubscription } from '../event-bus.js';
import { PermanentError } from '../shared/errors.js';
import { listParked } from '../shared/parked-events.js';

jest.setTimeout(120_000);

/** They reach each of the three partitions. */
const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** Before each test every key has its 1, and `a` the 2 at which the consumer waited. */
const STALLING = 2;
const handledBefore = keys.length + 1;

const partitionMetadata = [0, 1, 2].map((partitionId) => ({
  partitionId,
  leader: 1,
  partitionErrorCode: 0,
  replicas: [1],
  isr: [1],
}));
const partitionOf = (key: string): number =>
  Partitioners.DefaultPartitioner()({ topic: 'any', partitionMetadata, message: { key, value: null } });

describe('what one fetch brings of several partitions', () => {
  let stack: KafkaStack;
  let group: string;
  let bus: EventBus;
  /** Ids of the transactions that handled a 3, those that were rolled back too. */
  let transactions: Set<string>;
  let afterEffects: (events: readonly EventEnvelope[]) => void;
  let goOn: () => void;
  /** The oldest event that waits, of each partition that was fetched. */
  let oldest: Map<number, number | undefined>;

  beforeEach(async () => {
    stack = await createKafkaStack();
    group = newGroup();
    transactions = new Set();
    afterEffects = () => undefined;
    oldest = new Map();
    const gate = gatedPool(stack.consumer);
    goOn = () => gate.open();
    const handle: SharedSubscription['handle'] = async (events, tx) => {
      const values = events.map(valueOf);
      const { rows } = await tx.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
      if (values.includes(3)) transactions.add(rows[0]?.id ?? '');
      await writeEffects(events, tx);
      afterEffects(events);
    };
    bus = stack.newReplica({
      metrics: { oldestUnhandled: ({ partition }, atMs) => void oldest.set(partition, atMs) },
    });
    bus.subscribeShared(gate.pool, { group, topics: [stack.topic], handle });
    await bus.start();
    for (const key of keys) await publish(stack, key, [1]);
    await until('every partition to flow', async () => (await countEffects(stack.consumer)) >= keys.length);
    // Before its transaction, since an open one would hold back the relay of a database on the same server.
    gate.shut();
    await publish(stack, 'a', [STALLING]);
    await until('the consumer to stall', () => gate.waiting() > 0);
    await publishedBehindIt();
  });
  afterEach(async () => {
    goOn();
    await stack.close();
  });

  /** A 3 of each key, seen in the topic by somebody else, so that the next fetch brings them all. */
  async function publishedBehindIt(): Promise<void> {
    const seen = new Set<string>();
    const witness = stack.newReplica();
    witness.subscribeShared(stack.consumer, {
      group: newGroup(),
      topics: [stack.topic],
      handle: async (events) => {
        for (const event of events) if (valueOf(event) === 3) seen.add(event.partitionKey);
      },
    });
    await witness.start();
    for (const key of keys) await publish(stack, key, [3]);
    await until('the events in the topic', () => seen.size === keys.length);
    await witness.stop();
  }
  const handled = (count: number) =>
    until(`${count} more effects`, async () => (await countEffects(stack.consumer)) >= handledBefore + count);
  const expected = (of: Record<string, number[]> = {}): Record<string, number[]> =>
    Object.fromEntries(keys.map((key) => [key, [1, ...(key === 'a' ? [STALLING] : []), ...(of[key] ?? [3])]]));
  const positions = async (): Promise<{ partition: number; position: string }[]> => {
    const { rows } = await stack.consumer.query<{ partition: number; position: string }>(
      'SELECT partition, position FROM consumer_positions WHERE consumer_group = $1 ORDER BY partition',
      [group],
    );
    return rows;
  };

  it('is handled in one transaction, which moves the position of each', async () => {
    const before = await positions();
    // The one that stalls, by the time of its record.
    expect(oldest.get(partitionOf('a'))).toBeGreaterThan(0);
    goOn();
    await handled(keys.length);
    expect(await effects(stack.consumer)).toEqual(expected());
    expect(transactions.size).toBe(1);
    await until('nothing to wait', () => [...oldest.values()].every((atMs) => atMs === undefined));
    expect([...oldest.keys()].sort()).toEqual([0, 1, 2]);
    const after = await positions();
    expect(after.map(({ position }, index) => BigInt(position) > BigInt(before[index]?.position ?? 0))).toEqual([
      true,
      true,
      true,
    ]);
    await bus.stop();
    const next = stack.newReplica();
    next.subscribeShared(stack.consumer, { group, topics: [stack.topic], handle: writeEffects });
    await next.start();
    for (const key of keys) await publish(stack, key, [4]);
    await handled(2 * keys.length);
    expect(await effects(stack.consumer)).toEqual(expected(Object.fromEntries(keys.map((key) => [key, [3, 4]]))));
  });

  it('is handled apart where a key is bad, which alone is parked', async () => {
    afterEffects = (events) => {
      if (events.some((event) => event.partitionKey === 'd' && valueOf(event) === 3)) throw new PermanentError('bad');
    };
    goOn();
    await handled(keys.length - 1);
    expect(await effects(stack.consumer)).toEqual(expected({ d: [] }));
    expect((await listParked(stack.consumer, group)).map(({ event }) => event.partitionKey)).toEqual(['d']);
    // The events that wait behind it are put there, too, together with those that flow.
    for (const key of keys) await publish(stack, key, [4]);
    await handled(2 * (keys.length - 1));
    await until('the event behind', async () => (await listParked(stack.consumer, group)).length === 2);
    const flowing = Object.fromEntries(keys.map((key) => [key, key === 'd' ? [] : [3, 4]]));
    expect(await effects(stack.consumer)).toEqual(expected(flowing));
  });

  it('comes again, all of it, after a transient error', async () => {
    let failures = 0;
    afterEffects = (events) => {
      if (!events.some((event) => valueOf(event) === 3) || (failures += 1) > 2) return;
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    };
    goOn();
    await handled(keys.length);
    expect(failures).toBeGreaterThan(2);
    expect(await effects(stack.consumer)).toEqual(expected());
    expect(await listParked(stack.consumer, group)).toEqual([]);
  });

  // `a`, with what the consumer has in hand, is in another one than `b`.
  it('is handled but for the partition whose position somebody else has moved, which goes on from there', async () => {
    const admin = stack.kafka.admin();
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(stack.topic);
    await admin.disconnect();
    const moved = partitionOf('b');
    await stack.consumer.query(
      'UPDATE consumer_positions SET position = $3 WHERE consumer_group = $1 AND partition = $2',
      [group, moved, ends.find(({ partition }) => partition === moved)?.high],
    );
    goOn();
    for (const key of keys) await publish(stack, key, [4]);
    const fours = async (): Promise<number> =>
      Object.values(await effects(stack.consumer)).filter((values) => values.includes(4)).length;
    await until('the events after it', async () => (await fours()) === keys.length);
    const now = await effects(stack.consumer);
    const flowing = Object.fromEntries(keys.map((key) => [key, partitionOf(key) === moved ? [4] : [3, 4]]));
    expect(now).toEqual(expected(flowing));
  });
});
