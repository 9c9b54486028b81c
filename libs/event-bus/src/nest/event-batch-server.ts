import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import type pg from 'pg';
import { lastValueFrom } from 'rxjs';
import type { EventBus } from '../event-bus.js';
import { EventBatchContext } from './event-batch-context.js';

export interface EventBatchServerOptions {
  bus: EventBus;
  pool: pg.Pool;
  /** Consumer group of every handler of this server; a topic has one handler in it. */
  group: string;
  maxBatch?: number;
}

/**
 * Nest transport in batches: `@EventPattern<string>(topic) handle(@Payload() events, @Ctx() { tx })`. Unlike Nest's Kafka server
 * it hands over up to `maxBatch` events at once, with retry, parking and fencing of the event bus below it, and refuses
 * to start with two handlers for a topic instead of dropping one.
 */
export class EventBatchServer extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors: boolean = true;

  constructor(private readonly options: EventBatchServerOptions) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    try {
      for (const [topic, handler] of this.messageHandlers) {
        if (handler.next !== undefined) throw new Error(`two handlers of group ${this.options.group} for ${topic}`);
        this.options.bus.subscribeShared(this.options.pool, {
          group: this.options.group,
          topics: [topic],
          ...(this.options.maxBatch === undefined ? {} : { maxBatch: this.options.maxBatch }),
          handle: async (events, tx) => {
            const result: unknown = await handler(events, new EventBatchContext([tx]));
            await lastValueFrom(this.transformToObservable(result), { defaultValue: undefined });
          },
        });
      }
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** The bus is stopped by who started it. */
  close(): void {}

  on(): void {
    throw new Error('this transport has no events of its own: ask the health of the event bus');
  }

  unwrap<T>(): T {
    return this.options.bus as T;
  }
}
