import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EventEnvelope } from '@capability-router/contracts';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { type BusStack, createStack, newGroup, publish } from '../conformance/bus-stack.js';
import { effects, until, writeEffects } from '../conformance/effects.js';
import { EmbeddedEventBus } from '../embedded/embedded-event-bus.js';
import { EventBatchContext } from './event-batch-context.js';
import { EventBatchServer } from './event-batch-server.js';

/** Milliseconds. */
jest.setTimeout(120_000);

let stack: BusStack;
beforeAll(async () => {
  stack = await createStack('nest-topic', (options) => new EmbeddedEventBus({ ...options, pollIntervalMs: 20 }));
});
afterAll(() => stack.close());

@Controller()
class EffectsController {
  @EventPattern<string>('nest-topic')
  async handle(@Payload() events: EventEnvelope[], @Ctx() context: EventBatchContext): Promise<void> {
    await writeEffects(events, context.tx);
    if (events.some(({ partitionKey }) => partitionKey === 'bad')) throw new Error('a bug');
  }
}

@Module({ controllers: [EffectsController] })
class EffectsModule {}

describe('the Nest transport', () => {
  it('hands batches with their transaction to a controller, and parks what the controller cannot handle', async () => {
    const bus = stack.newReplica();
    const strategy = new EventBatchServer({ bus, pool: stack.consumer, group: newGroup() });
    const app = await NestFactory.createMicroservice(EffectsModule, { strategy, logger: false });
    await app.listen();
    await bus.start();
    for (const key of ['a', 'bad', 'b']) await publish(stack, key, [1, 2]);
    await until('the good keys', async () => Object.values(await effects(stack.consumer)).flat().length >= 4);
    expect(await effects(stack.consumer)).toEqual({ a: [1, 2], b: [1, 2] });
    await app.close();
  });
});
