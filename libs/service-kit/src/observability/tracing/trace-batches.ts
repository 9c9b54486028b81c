import type { EventBusMetrics } from '@capability-router/event-bus';
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { parseTraceparent } from './traceparent.js';
import type { Tracing } from './tracing.js';

/** Sampled, as W3C Trace Context has it. */
const SAMPLED = 1;

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
      const endTime = Date.now();
      for (const { type, id, traceparent } of events) {
        const cause = parseTraceparent(traceparent);
        if (cause === undefined || (cause.traceFlags & SAMPLED) === 0) continue;
        const attributes = {
          'messaging.operation.type': 'process',
          'messaging.destination.name': labels.topic,
          'messaging.consumer.group.name': labels.group,
          'messaging.message.id': id,
        };
        const options = { kind: SpanKind.CONSUMER, attributes, startTime: endTime - durationMs };
        tracing.tracer.startSpan(`process ${type}`, options, trace.setSpanContext(ROOT_CONTEXT, cause)).end(endTime);
      }
    },
  };
}
