import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { EventBusMetrics } from '@capability-router/event-bus';

/** Seconds a batch of events may take. */
const batchBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** Shows what the event bus reports as Prometheus metrics. Call it once per registry. */
export function busMetrics(registry: Registry): EventBusMetrics {
  const registers = [registry];
  const consumer = ['group', 'topic'] as const;
  const handled = new Counter({
    name: 'events_handled_total',
    help: 'Events whose effect is committed.',
    labelNames: consumer,
    registers,
  });
  const durations = new Histogram({
    name: 'event_batch_duration_seconds',
    help: 'Seconds for one batch, its transaction included.',
    labelNames: consumer,
    buckets: batchBucketsSeconds,
    registers,
  });
  const retried = new Counter({
    name: 'event_batches_retried_total',
    help: 'Batches that failed and were tried again.',
    labelNames: consumer,
    registers,
  });
  const fenced = new Counter({
    name: 'event_batches_fenced_total',
    help: 'Batches thrown away because another consumer had moved the position.',
    labelNames: consumer,
    registers,
  });
  const parked = new Counter({
    name: 'events_parked_total',
    help: 'Events set aside with their key for people to look at.',
    labelNames: consumer,
    registers,
  });
  const lag = new Gauge({
    name: 'event_consumer_lag',
    help: 'Events behind the end of a partition.',
    labelNames: [...consumer, 'partition'] as const,
    registers,
  });
  const relayed = new Counter({
    name: 'events_relayed_total',
    help: 'Events published from an outbox.',
    labelNames: ['relay'] as const,
    registers,
  });
  return {
    // The bus may tell more about where it is than these metrics have labels for.
    batchHandled: ({ group, topic }, events, durationMs) => {
      handled.inc({ group, topic }, events);
      durations.observe({ group, topic }, durationMs / 1_000);
    },
    batchRetried: ({ group, topic }) => retried.inc({ group, topic }),
    batchFenced: ({ group, topic }) => fenced.inc({ group, topic }),
    eventsParked: ({ group, topic }, events) => parked.inc({ group, topic }, events),
    lag: ({ group, topic, partition }, events) => lag.set({ group, topic, partition: String(partition) }, events),
    eventsRelayed: ({ relay }, events) => relayed.inc({ relay }, events),
  };
}
