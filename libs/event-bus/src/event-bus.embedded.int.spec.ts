import { randomUUID } from 'node:crypto';
import { createStack } from './conformance/bus-stack.js';
import { describeEventBus } from './conformance/event-bus.conformance.js';
import { EmbeddedEventBus } from './embedded/embedded-event-bus.js';

/** Runs every subscription in so many lanes. */
class EventBusWithLanes extends EmbeddedEventBus {
  override subscribeShared(...[pool, subscription]: Parameters<EmbeddedEventBus['subscribeShared']>): void {
    super.subscribeShared(pool, { ...subscription, lanes: 3 });
  }
}

describeEventBus('embedded', () =>
  createStack(`conformance-${randomUUID()}`, (options) => new EmbeddedEventBus({ ...options, pollIntervalMs: 20 })),
);

describeEventBus('embedded, in lanes,', () =>
  createStack(`conformance-${randomUUID()}`, (options) => new EventBusWithLanes({ ...options, pollIntervalMs: 20 })),
);
