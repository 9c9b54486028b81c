import type { DynamicModule, INestApplication, LoggerService, Type, INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { SharedSubscription } from '../event-bus.js';
import { EventBatchServer, type EventBatchServerOptions } from './event-batch-server.js';
import { refuseStrayHandlers } from './refuse-stray-handlers.js';

/**
 * Makes a service's application hybrid: its `@OnEventBatch` methods are subscribed beside its routes. Closing the
 * application ends the batches in hand. Throws where one of them is in no controller.
 */
export async function connectEventHandlers(app: INestApplication, options: EventBatchServerOptions): Promise<void> {
  refuseStrayHandlers(app);
  app.connectMicroservice({ strategy: new EventBatchServer(options) });
  await app.startAllMicroservices();
}

/** The event handlers of `module` without routes, subscribed. */
export async function createEventApplication(
  module: Type<unknown> | DynamicModule,
  options: EventBatchServerOptions & { logger: LoggerService | false },
): Promise<INestMicroservice> {
  const { logger, ...rest } = options;
  const app = await NestFactory.createMicroservice(module, {
    strategy: new EventBatchServer(rest),
    logger,
    abortOnError: false,
  });
  refuseStrayHandlers(app);
  await app.listen();
  return app;
}

/** The event handlers of `module` by consumer group, for whoever hands them events by itself. Nothing is subscribed. */
export async function eventHandlersOf(
  module: Type<unknown> | DynamicModule,
  options: Pick<EventBatchServerOptions, 'pool' | 'settings'>,
): Promise<{ subscriptions: readonly SharedSubscription[]; close(): Promise<void> }> {
  const subscriptions: SharedSubscription[] = [];
  const bus: EventBatchServerOptions['bus'] = {
    subscribeShared(_pool, subscription) {
      subscriptions.push(subscription);
      return { stop: () => Promise.resolve() };
    },
  };
  const app = await createEventApplication(module, { ...options, bus, logger: false });
  return { subscriptions, close: () => app.close() };
}
