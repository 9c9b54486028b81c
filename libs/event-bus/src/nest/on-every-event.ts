import type { EventEnvelope } from '@capability-router/contracts';
import { UseFilters } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { PassErrorsOn } from './pass-errors-on.filter.js';

/**
 * Makes a controller's method hear every event of `topics` that is published from when the application listens on, at least
 * once, on every replica: Nest's `@EventPattern` on the transport `EventBroadcastServer`. The method works in memory alone.
 * An event for which it throws is skipped: it is logged and told to `onSkipped` of the transport, and neither tried again nor
 * parked, so a method that must not miss it catches its own errors.
 */
export function OnEveryEvent(topics: string | readonly string[]) {
  return <Handler extends (event: EventEnvelope) => void>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    Payload()(target, key, 0);
    EventPattern<string | readonly string[]>(topics, { broadcast: true })(target, key, descriptor);
    UseFilters(new PassErrorsOn())(target, key, descriptor);
  };
}
