import { Controller, Module } from '@nestjs/common';
import type { EventBus, SharedSubscription } from '../event-bus.js';
import { createEventApplication } from '../nest/event-application.js';
import type { EventBatchContext } from '../nest/event-batch-context.js';
import { type EventBatch, OnEventBatch } from '../nest/on-event-batch.js';
import type { BusStack } from './bus-stack.js';

/** The same stack, whose every subscription is a method of a controller in a Nest application of its own. */
export function replicasThroughNest(stack: BusStack): BusStack {
  return { ...stack, newReplica: (options) => throughNest(stack.newReplica(options)) };
}

function throughNest(bus: EventBus): EventBus {
  const applications: ReturnType<typeof createEventApplication>[] = [];
  const close = async (): Promise<void> => {
    for (const application of await Promise.all(applications)) await application.close();
  };
  return {
    subscribeShared(pool, subscription) {
      applications.push(createEventApplication(moduleOf(subscription), { bus, pool, logger: false }));
      return { stop: close };
    },
    publishFrom: (pool, source, outboxes) => bus.publishFrom(pool, source, outboxes),
    broadcastListener: () => bus.broadcastListener(),
    async start() {
      await Promise.all(applications);
      await bus.start();
    },
    async stop() {
      await close();
      await bus.stop();
    },
    health: () => bus.health(),
    nudge: (source, topics) => bus.nudge(source, topics),
  };
}

function moduleOf({ topics, handle, ...options }: SharedSubscription): new () => object {
  @Controller()
  class Consumer {
    @OnEventBatch(topics, options)
    apply(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
      return handle(events, tx);
    }
  }

  @Module({ controllers: [Consumer] })
  class ConsumerModule {}
  return ConsumerModule;
}
