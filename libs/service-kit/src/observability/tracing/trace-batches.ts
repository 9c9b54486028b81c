import type { EventBusMetrics } from '@capability-router/event-bus';
import { isSampled, parseTraceparent } from './traceparent.js';
import type { Tracing } from './tracing.js';

/**
 * Each event that a consumer has handled, and that is of a trace, has a span of the batch's length: when its effect was
 * committed, as a part of what led to it. A batch is of many traces, so that it is none's by itself.
 */
export function tracedBatches(
  metrics: EventBusMetrics,
  tracingOf: (group: string) => Tracing | undefined,
): EventBusMetrics {
  return {
    ...metrics,
    eventsHandled: (labels, events, durationMs) => {
      metrics.eventsHandled?.(labels, events, durationMs);
      const tracing = tracingOf(labels.group);
      if (tracing === undefined) return;
      const endedAtMs = Date.now();
      for (const { type, id, traceparent } of events) {
        const cause = parseTraceparent(traceparent);
        if (cause === undefined || !isSampled(cause)) continue;
        const attributes = {
          'messaging.operation.type': 'process',
          'messaging.destination.name': labels.topic,
          'messaging.consumer.group.name': labels.group,
          'messaging.message.id': id,
        };
        tracing.recordHandled({ name: `process ${type}`, cause, attributes, endedAtMs, durationMs });
      }
    },
  };
}
