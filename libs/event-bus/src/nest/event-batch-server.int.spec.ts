import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Injectable, Module } from '@nestjs/common';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import { type BusStack, createStack, newGroup, publish } from '../conformance/bus-stack.js';
import { effects, until, writeEffects } from '../conformance/effects.js';
import { EmbeddedEventBus } from '../embedded/embedded-event-bus.js';
import { listParked, replayParked } from '../shared/parked-events.js';
import { createEventApplication, eventHandlersOf } from './event-application.js';
import type { EventBatchContext } from './event-batch-context.js';
import { type EventBatch, OnEventBatch } from './on-event-batch.js';

/** Milliseconds. */
jest.setTimeout(120_000);

const TOPIC = 'nest-topic';
let stack: BusStack;
beforeAll(async () => {
  stack = await createStack(TOPIC, (options) => new EmbeddedEventBus({ ...options, pollIntervalMs: 20 }));
});
beforeEach(() => stack.consumer.query('TRUNCATE effects'));
afterAll(() => stack.close());

const moduleOf = (...controllers: (new () => object)[]): new () => object => {
  @Module({ controllers })
  class TestModule {}
  return TestModule;
};

const open = (controllers: (new () => object)[], settings = {}) => {
  const bus = stack.newReplica();
  return {
    bus,
    app: createEventApplication(moduleOf(...controllers), { bus, pool: stack.consumer, settings, logger: false }),
  };
};

describe('the Nest transport', () => {
  it('hands batches with their transaction to a controller, and parks what the controller cannot handle', async () => {
    const group = newGroup();
    let isMended = false;

    @Controller()
    class Effects {
      @OnEventBatch(TOPIC, { group })
      async apply(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
        await writeEffects(events, tx);
        if (!isMended && events.some(({ partitionKey }) => partitionKey === 'bad')) throw new Error('a bug');
      }
    }

    const { bus, app } = open([Effects]);
    const running = await app;
    await bus.start();
    for (const key of ['a', 'bad', 'b']) await publish(stack, key, [1, 2]);
    await until('the good keys', async () => Object.values(await effects(stack.consumer)).flat().length >= 4);
    expect(await effects(stack.consumer)).toEqual({ a: [1, 2], b: [1, 2] });
    // The second was tried with the first, or came when that was parked.
    await until('the bad key', async () => (await listParked(stack.consumer, group)).length === 2);
    expect((await listParked(stack.consumer, group)).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('a bug'),
      expect.stringMatching(/a bug|waits behind a parked event/),
    ]);
    await running.close();

    // Whoever replays them takes the same handlers.
    isMended = true;
    const handlers = await eventHandlersOf(moduleOf(Effects), { pool: stack.consumer });
    const [subscription] = handlers.subscriptions;
    if (subscription === undefined) throw new Error('the group has no handler');
    expect(await replayParked(stack.consumer, subscription, 'bad')).toEqual({ replayed: 2, remaining: 0 });
    expect(await effects(stack.consumer)).toEqual({ a: [1, 2], b: [1, 2], bad: [1, 2] });
    await handlers.close();
  });

  it('does not start where a handler is in a provider, to which nothing is handed', async () => {
    @Injectable()
    class Misplaced {
      @OnEventBatch(TOPIC, { group: newGroup() })
      async apply(): Promise<void> {}
    }

    @Module({ providers: [Misplaced] })
    class TestModule {}

    await expect(
      createEventApplication(TestModule, { bus: stack.newReplica(), pool: stack.consumer, logger: false }),
    ).rejects.toThrow('the event handler Misplaced.apply is in a provider');
  });

  it('lets every group of an application handle a topic', async () => {
    const [first, second] = [newGroup(), newGroup()];
    const heard: Record<string, number> = { [first]: 0, [second]: 0 };

    @Controller()
    class Two {
      @OnEventBatch(TOPIC, { group: first })
      async one(events: EventBatch): Promise<void> {
        heard[first] = (heard[first] ?? 0) + events.length;
      }

      @OnEventBatch(TOPIC, { group: second })
      async other(events: EventBatch): Promise<void> {
        heard[second] = (heard[second] ?? 0) + events.length;
      }
    }

    const { rows } = await stack.producer.query<{ count: number }>('SELECT count(*)::int AS count FROM events');
    const count = (rows[0]?.count ?? 0) + 2;
    const { bus, app } = open([Two]);
    const running = await app;
    await bus.start();
    await publish(stack, 'both', [1, 2]);
    await until('both groups', () => heard[first] === count && heard[second] === count);
    await running.close();
  });

  it('handles nothing any more once its application is closed, while its bus goes on', async () => {
    const group = newGroup();
    let handled = 0;
    let inHand = false;

    @Controller()
    class Slow {
      @OnEventBatch(TOPIC, { group })
      async apply(events: EventBatch): Promise<void> {
        inHand = true;
        await new Promise((resolve) => setTimeout(resolve, 200));
        handled += events.length;
        inHand = false;
      }
    }

    const { bus, app } = open([Slow], { [group]: { maxBatch: 1, lingerMs: 0 } });
    const running = await app;
    await bus.start();
    await publish(stack, 'slow', [1, 2, 3, 4, 5, 6, 7, 8]);
    await until('a batch in hand', () => inHand);
    await running.close();
    expect(inHand).toBe(false);
    const { rows } = await stack.consumer.query<{ position: string }>(
      'SELECT position FROM consumer_positions WHERE consumer_group = $1',
      [group],
    );
    const atClose = handled;
    await publish(stack, 'slow', [9]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(handled).toBe(atClose);
    expect(rows).toHaveLength(1);
  });

  it.each([
    [
      'two handlers of a group for a topic',
      () => {
        @Controller()
        class Twice {
          @OnEventBatch(TOPIC, { group: 'g' })
          async one(): Promise<void> {}

          @OnEventBatch(TOPIC, { group: 'g' })
          async other(): Promise<void> {}
        }
        return Twice;
      },
      /two handlers of group g for nest-topic/,
    ],
    [
      'a group with different options',
      () => {
        @Controller()
        class Differing {
          @OnEventBatch(TOPIC, { group: 'g', complete: true })
          async one(): Promise<void> {}

          @OnEventBatch('another-topic', { group: 'g' })
          async other(): Promise<void> {}
        }
        return Differing;
      },
      /group g name different options/,
    ],
    [
      'a handler without a group',
      () => {
        @Controller()
        class Bare {
          @EventPattern(TOPIC)
          async apply(_events: EventBatch): Promise<void> {}
        }
        return Bare;
      },
      /@OnEventBatch/,
    ],
    [
      'a request with an answer',
      () => {
        @Controller()
        class Asking {
          @MessagePattern(TOPIC)
          async answer(_request: unknown): Promise<number> {
            return 1;
          }
        }
        return Asking;
      },
      /no requests with an answer/,
    ],
  ])('does not start with %s', async (_name, controller, message) => {
    await expect(open([controller()]).app).rejects.toThrow(message);
  });

  it('does not start with settings of a group that has no handler', async () => {
    await expect(open([], { nobody: { maxBatch: 1 } }).app).rejects.toThrow(/without a handler: nobody/);
  });
});
