import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type pg from 'pg';
import { isObservable, lastValueFrom } from 'rxjs';
import type { EventBus, SharedSubscription, Subscription } from '../event-bus.js';
import { EventBatchContext } from './event-batch-context.js';
import { EventGroups, type GroupSettings } from './event-groups.js';

export interface EventBatchServerOptions {
  bus: Pick<EventBus, 'subscribeShared'>;
  /** The consumers' database: effects and positions are written to it. */
  pool: pg.Pool;
  /** By consumer group: what a deployment or a test decides instead of the handler. */
  settings?: Readonly<Record<string, GroupSettings>>;
}

/**
 * The Nest transport of a service's event handlers, on Kafka and on the embedded bus alike: batches in transactions, with
 * the retry, parking and fencing of the event bus below it. `listen` subscribes; reading begins when the bus is started.
 */
export class EventBatchServer extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors: boolean = true;
  private readonly groups = new EventGroups();
  private readonly running: Subscription[] = [];

  constructor(private readonly options: EventBatchServerOptions) {
    super();
  }

  /** Called by Nest for each topic of each `@OnEventBatch` method. Nest's own chains the handlers of a topic into one. */
  override addHandler(
    topic: unknown,
    handler: MessageHandler,
    isEventHandler?: boolean,
    extras?: Record<string, unknown>,
  ): void {
    if (isEventHandler !== true) throw new Error(`${String(topic)}: this transport has no requests with an answer`);
    this.groups.add(String(topic), extras ?? {}, async (events, tx) => {
      const result: unknown = await handler(events, new EventBatchContext([tx]));
      // A filter of Nest turns an error into a stream.
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    });
  }

  listen(callback: (error?: unknown) => void): void {
    try {
      for (const subscription of this.subscriptions()) {
        this.running.push(this.options.bus.subscribeShared(this.options.pool, subscription));
      }
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** One for each consumer group, with every topic that the group has a handler for. */
  subscriptions(): SharedSubscription[] {
    return this.groups.subscriptions(this.options.settings ?? {});
  }

  /** Ends the batches in hand; nothing of this application is handled any more. The bus is stopped by who started it. */
  async close(): Promise<void> {
    await Promise.all(this.running.map((subscription) => subscription.stop()));
  }

  on(): void {
    throw new Error('this transport has no events of its own: ask the health of the event bus');
  }

  unwrap<T>(): T {
    return this.options.bus as T;
  }
}
