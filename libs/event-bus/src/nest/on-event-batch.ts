import type { EventEnvelope } from '@capability-router/contracts';
import { UseFilters } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { SharedSubscription } from '../event-bus.js';
import type { EventBatchContext } from './event-batch-context.js';
import { PassErrorsOn } from './pass-errors-on.filter.js';

/** Events of one topic, in order for each key. */
export type EventBatch = readonly EventEnvelope[];

/** How a consumer group reads; see `SharedSubscription`. */
export type EventBatchOptions = Omit<SharedSubscription, 'topics' | 'handle'>;

export type EventBatchHandler = (events: EventBatch, context: EventBatchContext) => Promise<void>;

/**
 * Makes a controller's method the handler of a consumer group for `topics`: Nest's `@EventPattern`, with the options of the
 * group checked by the compiler, the batch and its context as parameters, and errors that reach the bus as they are.
 * Methods of one group for different topics name the same options.
 */
export function OnEventBatch(topics: string | readonly string[], options: EventBatchOptions) {
  return <Handler extends EventBatchHandler>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    EventPattern<string | readonly string[]>(topics, options)(target, key, descriptor);
    UseFilters(new PassErrorsOn())(target, key, descriptor);
  };
}
