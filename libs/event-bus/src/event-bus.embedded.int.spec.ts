import { randomUUID } from 'node:crypto';
import { createStack } from './conformance/bus-stack.js';
import { describeEventBus } from './conformance/event-bus.conformance.js';
import { EmbeddedEventBus } from './embedded/embedded-event-bus.js';

describeEventBus('embedded', () =>
  createStack(`conformance-${randomUUID()}`, (options) => new EmbeddedEventBus({ ...options, pollIntervalMs: 20 })),
);
