import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { appendToStream } from '@capability-router/event-store';
import type { BroadcastListener, SharedSubscription } from '../event-bus.js';
import { MAX_UNKNOWN_ATTEMPTS } from '../shared/chunk-processor.js';
import { PermanentError } from '../shared/errors.js';
import { listParked, replayParked } from '../shared/parked-events.js';
import { type BusStack, newGroup, publish } from './bus-stack.js';
import { countEffects, effects, until, valueOf, writeEffects } from './effects.js';
import { gatedPool } from './gated-pool.js';

/** Milliseconds. */
const TEST_TIMEOUT_MS = 180_000;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** Tries the guarantees of every event bus, whatever carries the events. */
export function describeEventBus(adapter: string, createStack: () => Promise<BusStack>): void {
  jest.setTimeout(TEST_TIMEOUT_MS);
  describe(`${adapter} event bus`, () => {
    let stack: BusStack;
    beforeEach(async () => {
      stack = await createStack();
    });
    afterEach(() => stack.close());

    const subscription = (over: Partial<SharedSubscription> = {}): SharedSubscription => ({
      group: newGroup(),
      topics: [stack.topic],
      handle: writeEffects,
      ...over,
    });

    it('hands every event over once, in order per key', async () => {
      const bus = stack.newReplica();
      bus.subscribeShared(stack.consumer, subscription());
      await bus.start();
      const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      await Promise.all(keys.map((key) => publish(stack, key, range(1, 25))));
      bus.nudge('execution');
      await until('200 effects', async () => (await countEffects(stack.consumer)) >= 200);
      expect(await effects(stack.consumer)).toEqual(Object.fromEntries(keys.map((key) => [key, range(1, 25)])));
      await until('readiness', () => bus.health().ready);
    });

    it('hands over batches, never larger than asked for', async () => {
      await publish(stack, 'a', range(1, 120));
      const sizes: number[] = [];
      const bus = stack.newReplica();
      bus.subscribeShared(
        stack.consumer,
        subscription({
          maxBatch: 50,
          handle: async (events, tx) => {
            sizes.push(events.length);
            await writeEffects(events, tx);
          },
        }),
      );
      await bus.start();
      await until('120 effects', async () => (await countEffects(stack.consumer)) >= 120);
      expect(Math.max(...sizes)).toBe(50);
    });

    it('carries every member of the envelope', async () => {
      const id = '5f0c6f4e-7a35-4a5b-9d3e-0b8f6a1c2d3e';
      const [time, traceparent] = [
        '2026-01-02T03:04:05.678Z',
        '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      ];
      const facts = {
        id,
        type: 'Happened',
        topic: stack.topic,
        partitionKey: 'ключ',
        data: { text: '你好', n: [1.5] },
      };
      const event = { ...facts, correlationId: 'c-1', causationId: 'c-2', time, traceparent };
      await appendToStream(stack.producer, 'execution', 'stream', 0, [event]);
      const received: unknown[] = [];
      const bus = stack.newReplica();
      bus.subscribeShared(stack.consumer, subscription({ handle: async (events) => void received.push(...events) }));
      await bus.start();
      await until('the event', () => received.length > 0);
      expect(received).toEqual([{ ...event, source: 'execution', subject: 'stream', sequence: 1 }]);
    });

    it('repeats a batch whose transaction died after its effect, and the effect is there once', async () => {
      let kills = 0;
      const bus = stack.newReplica();
      bus.subscribeShared(
        stack.consumer,
        subscription({
          handle: async (events, tx) => {
            await writeEffects(events, tx);
            kills += 1;
            if (kills <= 2) await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
          },
        }),
      );
      await publish(stack, 'a', range(1, 10));
      await bus.start();
      await until('10 effects', async () => (await countEffects(stack.consumer)) >= 10);
      expect(kills).toBeGreaterThan(2);
      expect(await effects(stack.consumer)).toEqual({ a: range(1, 10) });
    });

    it('goes on after a restart where the database says, not where the bus believes', async () => {
      const shared = subscription();
      const first = stack.newReplica();
      first.subscribeShared(stack.consumer, shared);
      await first.start();
      await publish(stack, 'a', range(1, 10));
      await until('10 effects', async () => (await countEffects(stack.consumer)) >= 10);
      await first.stop();
      await publish(stack, 'a', range(11, 20));
      const second = stack.newReplica();
      second.subscribeShared(stack.consumer, shared);
      await second.start();
      await until('20 effects', async () => (await countEffects(stack.consumer)) >= 20);
      expect(await effects(stack.consumer)).toEqual({ a: range(1, 20) });
    });

    it('fences a zombie: a consumer that stalled with a batch in hand throws it away when another has handled it', async () => {
      const shared = subscription();
      const gate = gatedPool(stack.consumer);
      let fenced = 0;
      const zombie = stack.newReplica({ metrics: { batchFenced: () => (fenced += 1) } });
      zombie.subscribeShared(gate.pool, shared);
      await zombie.start();
      await publish(stack, 'a', [1]);
      await until('the first effect', async () => (await countEffects(stack.consumer)) >= 1);
      gate.shut();
      await publish(stack, 'a', range(2, 10));
      await until('the zombie to stall', () => gate.waiting() > 0);
      const successor = stack.newReplica();
      successor.subscribeShared(stack.consumer, shared);
      await successor.start();
      await until('10 effects', async () => (await countEffects(stack.consumer)) >= 10);
      gate.open();
      await until('the fence', () => fenced > 0);
      await publish(stack, 'a', range(11, 12));
      await until('12 effects', async () => (await countEffects(stack.consumer)) >= 12);
      expect(await effects(stack.consumer)).toEqual({ a: range(1, 12) });
    });

    it('waits for a transient error to pass and parks nothing', async () => {
      let failures = 0;
      const shared = subscription({
        handle: async (events, tx) => {
          failures += 1;
          if (failures <= MAX_UNKNOWN_ATTEMPTS + 1)
            throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
          await writeEffects(events, tx);
        },
      });
      const bus = stack.newReplica();
      bus.subscribeShared(stack.consumer, shared);
      await bus.start();
      await publish(stack, 'a', [1]);
      await until('the effect', async () => (await countEffects(stack.consumer)) >= 1);
      expect(await listParked(stack.consumer, shared.group)).toEqual([]);
    });

    it.each([
      ['a permanent error', () => new PermanentError('no such account')],
      ['an unknown error that stays', () => new Error('a bug')],
    ])('parks the key of %s, lets other keys flow, and replays it in order', async (_name, makeError) => {
      let broken = true;
      const shared = subscription({
        handle: async (events, tx) => {
          await writeEffects(events, tx);
          if (broken && events.some((event) => event.partitionKey === 'bad' && valueOf(event) === 3)) throw makeError();
        },
      });
      for (const key of ['good', 'bad', 'fine']) await publish(stack, key, range(1, 5));
      const bus = stack.newReplica();
      bus.subscribeShared(stack.consumer, shared);
      await bus.start();
      await until('the other keys', async () => (await countEffects(stack.consumer)) >= 12);
      for (const key of ['bad', 'good']) await publish(stack, key, [6]);
      const parkedValues = async (): Promise<number[]> =>
        (await listParked(stack.consumer, shared.group)).map(({ event }) => valueOf(event));
      await until('the later event to wait', async () => (await parkedValues()).length >= 4);
      await until('the other key', async () => (await countEffects(stack.consumer)) >= 13);
      expect(await parkedValues()).toEqual([3, 4, 5, 6]);
      expect(await effects(stack.consumer)).toEqual({ good: range(1, 6), bad: [1, 2], fine: range(1, 5) });

      expect(await replayParked(stack.consumer, shared, 'bad')).toMatchObject({ replayed: 0, remaining: 4 });
      broken = false;
      expect(await replayParked(stack.consumer, shared, 'bad')).toEqual({ replayed: 4, remaining: 0 });
      await publish(stack, 'bad', [7]);
      await until('the key to flow again', async () => (await countEffects(stack.consumer)) >= 18);
      expect(await effects(stack.consumer)).toEqual({ good: range(1, 6), bad: range(1, 7), fine: range(1, 5) });
      await until('readiness', () => bus.health().ready);
    });

    it('carries an event that took its place early and commits late, and one written late by an older transaction', async () => {
      const bus = stack.newReplica();
      bus.subscribeShared(stack.consumer, subscription());
      await bus.start();
      const older = await stack.producer.connect();
      const event = (key: string, value: number) => ({
        type: 'Happened',
        topic: stack.topic,
        partitionKey: key,
        data: { value },
      });
      await older.query('BEGIN');
      await appendToStream(older, 'execution', 'early', 0, [event('early', 1)]);
      await publish(stack, 'other', range(1, 3));
      await appendToStream(stack.producer, 'execution', 'chain', 0, [event('chain', 1)]);
      await appendToStream(older, 'execution', 'chain', 1, [event('chain', 2)]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await older.query('COMMIT');
      older.release();
      await until('6 effects', async () => (await countEffects(stack.consumer)) >= 6);
      expect(await effects(stack.consumer)).toEqual({ early: [1], other: [1, 2, 3], chain: [1, 2] });
    });

    it('broadcasts to every listener what is published from now on', async () => {
      await publish(stack, 'a', [1]);
      const buses = [stack.newReplica(), stack.newReplica()];
      const heard: number[][] = [[], []];
      const listeners: BroadcastListener[] = [];
      const first = stack.newReplica();
      const before: number[] = [];
      first.subscribeShared(
        stack.consumer,
        subscription({ handle: async (events) => void before.push(...events.map(valueOf)) }),
      );
      await first.start();
      await until('the event before', () => before.length === 1);
      for (const [index, bus] of buses.entries()) {
        await bus.start();
        const listener = bus.broadcastListener();
        listeners.push(listener);
        expect(listener.isReading()).toBe(false);
        await listener.listen([stack.topic], (event) => heard[index]?.push(valueOf(event)));
      }
      await until('both to read', () => listeners.every((listener) => listener.isReading()));
      await publish(stack, 'a', range(2, 20));
      await until('both listeners', () => heard.every((values) => values.length >= 19));
      expect(heard).toEqual([range(2, 20), range(2, 20)]);
    });
  });
}
