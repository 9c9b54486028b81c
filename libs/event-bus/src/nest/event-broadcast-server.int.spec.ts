import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EventEnvelope } from '@capability-router/contracts';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type BusStack, createStack, newGroup, publish } from '../conformance/bus-stack.js';
import { until, valueOf } from '../conformance/effects.js';
import { EmbeddedEventBus } from '../embedded/embedded-event-bus.js';
import type { EventBus } from '../event-bus.js';
import { silentLogger } from '../logger.js';
import { EventBroadcastServer } from './event-broadcast-server.js';
import { OnEventBatch } from './on-event-batch.js';
import { OnEveryEvent } from './on-every-event.js';

/** Milliseconds. */
jest.setTimeout(120_000);

const TOPIC = 'broadcast-topic';
let stack: BusStack;
beforeAll(async () => {
  stack = await createStack(TOPIC, (options) => new EmbeddedEventBus({ ...options, pollIntervalMs: 20 }));
});
afterAll(() => stack.close());

async function open(controller: new () => object, bus: Pick<EventBus, 'broadcastListener'>) {
  @Module({ controllers: [controller] })
  class TestModule {}

  const errors: object[] = [];
  const logger = { ...silentLogger, error: (bindings: object) => void errors.push(bindings) };
  const skipped: EventEnvelope[] = [];
  const strategy = new EventBroadcastServer({ bus, logger, onSkipped: (event) => skipped.push(event) });
  const statuses: string[] = [];
  strategy.status.subscribe((status) => statuses.push(status));
  const app = await NestFactory.createMicroservice(TestModule, { strategy, logger: false, abortOnError: false });
  await app.listen();
  return { app, statuses, errors, skipped };
}

describe('the Nest transport of what everybody hears', () => {
  it('tells when it reads, hands over every event in order, also after one that was not understood, until it is closed', async () => {
    const heard: number[] = [];

    @Controller()
    class Listening {
      @OnEveryEvent(TOPIC)
      hear(event: EventEnvelope): void {
        heard.push(valueOf(event));
        if (valueOf(event) === 2) throw new Error('a bug');
      }
    }

    const bus = stack.newReplica();
    await bus.start();
    let failures = 2;
    const { app, statuses, errors, skipped } = await open(Listening, {
      broadcastListener() {
        failures -= 1;
        if (failures < 0) return bus.broadcastListener();
        // As where the broker is away: listening cannot begin yet.
        return {
          listen: () => Promise.reject(new Error('no broker')),
          isReading: () => false,
          close: () => Promise.resolve(),
        };
      },
    });
    await until('reading', () => statuses.includes('reading'));
    expect(statuses).toEqual(['listening', 'reading']);
    await publish(stack, 'a', [1, 2, 3]);
    bus.nudge('execution');
    await until('three events', () => heard.length === 3);
    expect(heard).toEqual([1, 2, 3]);
    expect(errors).toMatchObject([{ err: { message: 'a bug' }, topic: TOPIC }]);
    expect(skipped.map(valueOf)).toEqual([2]);
    await app.close();
    await publish(stack, 'a', [4]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard).toHaveLength(3);
  });

  it('does not start with the handler of a consumer group', async () => {
    @Controller()
    class Sharing {
      @OnEventBatch(TOPIC, { group: newGroup() })
      async apply(_events: unknown): Promise<void> {}
    }

    await expect(open(Sharing, stack.newReplica())).rejects.toThrow(/@OnEveryEvent/);
  });
});
