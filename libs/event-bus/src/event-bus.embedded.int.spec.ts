import { randomUUID } from 'node:crypto';
import { createStack } from './conformance/bus-stack.js';
import { describeEventBus } from './conformance/event-bus.conformance.js';
import { replicasThroughNest } from './conformance/through-nest.js';
import { EmbeddedEventBus } from './embedded/embedded-event-bus.js';
import type { Subscription } from './event-bus.js';

/** Runs every subscription in so many lanes. */
class EventBusWithLanes extends EmbeddedEventBus {
  override subscribeShared(...[pool, subscription]: Parameters<EmbeddedEventBus['subscribeShared']>): Subscription {
    return super.subscribeShared(pool, { ...subscription, lanes: 3 });
  }
}

const createEmbeddedStack = (): ReturnType<typeof createStack> =>
  createStack(`conformance-${randomUUID()}`, (options) => new EmbeddedEventBus({ ...options, pollIntervalMs: 20 }));

describeEventBus('embedded', createEmbeddedStack);

describeEventBus('embedded, through Nest,', async () => replicasThroughNest(await createEmbeddedStack()));

describeEventBus('embedded, in lanes,', () =>
  createStack(`conformance-${randomUUID()}`, (options) => new EventBusWithLanes({ ...options, pollIntervalMs: 20 })),
);
