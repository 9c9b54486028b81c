import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { EventBusMetrics } from '@capability-router/event-bus';

/** Seconds a batch of events may take. */
const batchBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];
const MS_PER_SECOND = 1_000;

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
  const unhandled = agesOf(registry, {
    name: 'event_consumer_lag_seconds',
    help: 'Age of the oldest event of a partition that this replica has fetched and not handled; 0: it has none.',
    labelNames: [...consumer, 'partition'] as const,
  });
  const unpublished = agesOf(registry, {
    name: 'event_outbox_oldest_seconds',
    help: 'Age of the oldest event of an outbox that is not published; 0: none, or another replica publishes it.',
    labelNames: ['relay'] as const,
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
      durations.observe({ group, topic }, durationMs / MS_PER_SECOND);
    },
    batchRetried: ({ group, topic }) => retried.inc({ group, topic }),
    batchFenced: ({ group, topic }) => fenced.inc({ group, topic }),
    eventsParked: ({ group, topic }, events) => parked.inc({ group, topic }, events),
    lag: ({ group, topic, partition }, events) => {
      const labels = { group, topic, partition: String(partition) };
      // The replicas are added up: what was lost must not count here as well as where it is now.
      if (events === undefined) lag.remove(labels);
      else lag.set(labels, events);
    },
    oldestUnhandled: ({ group, topic, partition }, atMs) =>
      unhandled({ group, topic, partition: String(partition) }, atMs),
    oldestUnpublished: ({ relay }, atMs) => unpublished({ relay }, atMs),
    eventsRelayed: ({ relay }, events) => relayed.inc({ relay }, events),
  };
}

/** A gauge of ages, which grow until the next report: what hangs reports nothing more. `atMs`: Unix milliseconds. */
function agesOf<Label extends string>(
  registry: Registry,
  { name, help, labelNames }: { name: string; help: string; labelNames: readonly Label[] },
): (labels: Readonly<Record<Label, string>>, atMs: number | undefined) => void {
  const since = new Map<string, { labels: Readonly<Record<Label, string>>; atMs: number | undefined }>();
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      for (const { labels, atMs } of since.values()) {
        this.set(labels, atMs === undefined ? 0 : Math.max(0, Date.now() - atMs) / MS_PER_SECOND);
      }
    },
  });
  return (labels, atMs) => void since.set(labelNames.map((label) => labels[label]).join(' '), { labels, atMs });
}
