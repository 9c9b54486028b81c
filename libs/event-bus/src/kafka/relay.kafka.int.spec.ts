import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { deadLetterTopic as platformDeadLetters, type EventEnvelope } from '@capability-router/contracts';
import { eventTableSource, type OutboxSource } from '@capability-router/event-store';
import type { Consumer, KafkaMessage } from 'kafkajs';
import { newGroup, publish } from '../conformance/bus-stack.js';
import { effects, until, writeEffects } from '../conformance/effects.js';
import { createKafkaStack, type KafkaStack } from '../conformance/kafka-stack.js';
import { silentLogger } from '../logger.js';
import { PermanentError } from '../shared/errors.js';
import { listParked } from '../shared/parked-events.js';
import { createPlainProducer } from './kafka-client.js';
import { Relay, type RelayOptions } from './relay.js';
import { openRelayPublisher } from './relay-publisher.js';

/** Milliseconds. */
jest.setTimeout(120_000);

let stack: KafkaStack;
let readers: Consumer[];
beforeEach(async () => {
  stack = await createKafkaStack();
  readers = [];
});
afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.disconnect()));
  await stack.close();
});

/** Everything that a reader of committed records sees, as it comes. */
async function readTopic(topic: string): Promise<KafkaMessage[]> {
  const seen: KafkaMessage[] = [];
  const reader = stack.kafka.consumer({ groupId: newGroup(), maxWaitTimeInMs: 100, readUncommitted: false });
  readers.push(reader);
  await reader.connect();
  await reader.subscribe({ topic, fromBeginning: true });
  await reader.run({ autoCommit: false, eachMessage: async ({ message }) => void seen.push(message) });
  return seen;
}

const values = (messages: readonly KafkaMessage[]): number[] =>
  messages.map(({ value }) => Number((JSON.parse(String(value)) as { value: number }).value));

const envelope = (value: number): EventEnvelope => ({
  id: `00000000-0000-4000-8000-${String(value).padStart(12, '0')}`,
  type: 'Happened',
  source: 'execution',
  subject: 's',
  sequence: value,
  time: '2026-01-01T00:00:00.000Z',
  topic: stack.topic,
  partitionKey: 'a',
  data: { value },
});

/**
 * Milliseconds. A relay that is awake must not lose its lease on a machine that is slow to open a publisher or to commit:
 * its successor would rightly publish the batch again.
 */
const LEASE_MS = 5_000;

const newRelay = (outbox: OutboxSource = eventTableSource(), over: Partial<RelayOptions> = {}): Relay =>
  new Relay({
    name: 'execution-relay',
    pool: stack.producer,
    outbox,
    openPublisher: () => openRelayPublisher(stack.kafka, `${stack.transactionalIdPrefix}zombie-test`),
    logger: silentLogger,
    metrics: {},
    pollIntervalMs: 20,
    leaseMs: LEASE_MS,
    ...over,
  });

describe('the relay on Kafka', () => {
  it('writes CloudEvents in binary mode, keyed by the partition key', async () => {
    const bus = stack.newReplica();
    await bus.start();
    await publish(stack, 'acc_1', [42]);
    const seen = await readTopic(stack.topic);
    await until('the record', () => seen.length > 0);
    const headers = Object.fromEntries(Object.entries(seen[0]?.headers ?? {}).map(([k, v]) => [k, String(v)]));
    expect(String(seen[0]?.key)).toBe('acc_1');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_source: 'execution',
      ce_type: 'Happened',
      ce_subject: `${stack.topic}/acc_1`,
      ce_partitionkey: 'acc_1',
      ce_sequence: '1',
    });
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['ce_id', 'ce_time', 'ce_dataschema']));
  });

  it('lets the broker refuse a zombie: what it sends or commits after a successor opened is never read', async () => {
    const id = `${stack.transactionalIdPrefix}fenced`;
    const zombie = await openRelayPublisher(stack.kafka, id);
    await zombie.publish([envelope(1)]);
    const successor = await openRelayPublisher(stack.kafka, id);
    await expect(zombie.publish([envelope(2)])).rejects.toThrow(/epoch|fenced/i);
    await successor.publish([envelope(3)]);
    const seen = await readTopic(stack.topic);
    await until('the successor', () => values(seen).includes(3));
    expect(values(seen)).toEqual([1, 3]);
    await Promise.all([zombie.close(), successor.close()]);
  });

  it('is taken over when its leader stalls past its lease, and the stalled batch is published once', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let stalled = false;
    const table = eventTableSource();
    const stalling: OutboxSource = {
      ...table,
      readAfter: async (...args) => {
        const page = await table.readAfter(...args);
        if (page.events.length > 0) {
          stalled = true;
          await gate;
        }
        return page;
      },
    };
    const zombie = newRelay(stalling);
    zombie.start();
    await publish(stack, 'a', [1, 2, 3]);
    await until('the leader to stall', () => stalled);
    const successor = newRelay();
    successor.start();
    const seen = await readTopic(stack.topic);
    await until('the successor', () => seen.length >= 3);
    open();
    await publish(stack, 'a', [4, 5]);
    await until('what came later', () => seen.length >= 5);
    await until('the zombie to notice', () => zombie.trouble() === undefined);
    await Promise.all([zombie.stop(), successor.stop()]);
    expect(values(seen)).toEqual([1, 2, 3, 4, 5]);
  });

  it('tells since when its oldest event waits, also while no publisher can be opened, and that none waits', async () => {
    const told: (number | undefined)[] = [];
    let isAway = true;
    const relay = newRelay(eventTableSource(), {
      metrics: { oldestUnpublished: (_labels, atMs) => void told.push(atMs) },
      openPublisher: () =>
        isAway
          ? Promise.reject(new Error('the broker is away'))
          : openRelayPublisher(stack.kafka, `${stack.transactionalIdPrefix}away-test`),
    });
    await publish(stack, 'a', [1, 2]);
    relay.start();
    await until('what waits', () => told.some((atMs) => atMs !== undefined));
    isAway = false;
    await until('nothing to wait', () => told.at(-1) === undefined);
    await relay.stop();
    const oldest = told.filter((atMs) => atMs !== undefined);
    expect(new Set(oldest).size).toBe(1);
  });

  it('tells since when an event waits behind a transaction that somebody has left open', async () => {
    const told: (number | undefined)[] = [];
    const forgotten = await stack.producer.connect();
    await forgotten.query('BEGIN');
    await forgotten.query('SELECT pg_current_xact_id()');
    await publish(stack, 'a', [1]);
    const relay = newRelay(eventTableSource(), {
      metrics: { oldestUnpublished: (_labels, atMs) => void told.push(atMs) },
    });
    relay.start();
    await until('what waits', () => told.at(-1) !== undefined);
    const seen = await readTopic(stack.topic);
    expect(seen).toEqual([]);
    await forgotten.query('ROLLBACK');
    forgotten.release();
    await until('the event', () => values(seen).includes(1));
    await until('nothing to wait', () => told.at(-1) === undefined);
    await relay.stop();
  });

  it('has one leader among many replicas, and hands over at once when it stops', async () => {
    const relays = [newRelay(), newRelay(), newRelay()];
    for (const relay of relays) relay.start();
    const seen = await readTopic(stack.topic);
    let published = 0;
    for (const relay of relays) {
      await publish(stack, 'a', [published + 1, published + 2]);
      published += 2;
      await until('the events of this leader', () => seen.length >= published);
      await relay.stop();
    }
    expect(values(seen)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('what a consumer on Kafka cannot handle', () => {
  it('is parked, whatever the record is, and copied to the dead letters with its reason', async () => {
    const group = newGroup();
    const bus = stack.newReplica();
    bus.subscribeShared(stack.consumer, {
      group,
      topics: [stack.topic],
      handle: async (events, tx) => {
        if (events.some(({ partitionKey }) => partitionKey === 'bad')) throw new PermanentError('no such account');
        await writeEffects(events, tx);
      },
    });
    await bus.start();
    const producer = createPlainProducer(stack.kafka);
    await producer.connect();
    await producer.send({ topic: stack.topic, messages: [{ key: 'garbage', value: 'not json' }] });
    await producer.disconnect();
    for (const key of ['bad', 'good']) await publish(stack, key, [1]);
    const deadLetters = await readTopic(stack.deadLetterTopic);
    await until('both dead letters', () => deadLetters.length >= 2);
    await until('the good key', async () => (await effects(stack.consumer))['good'] !== undefined);
    const reasons = deadLetters.map(({ headers }) => String(headers?.['dead-letter-reason'])).sort();
    expect(reasons).toEqual([
      'PermanentError: no such account',
      'PermanentError: the record is not a CloudEvent with JSON data',
    ]);
    expect((await listParked(stack.consumer, group)).map(({ event }) => event.type).sort()).toEqual([
      'Happened',
      'MalformedRecord',
    ]);
    expect(platformDeadLetters.name).toBe('internal.platform.dead-letters.v1');
  });
});
