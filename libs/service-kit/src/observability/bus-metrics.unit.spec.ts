import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { busMetrics } from './bus-metrics.js';

describe('metrics of the event bus', () => {
  it('take a report with more labels than they have: a metric must never fail the batch that it counts', async () => {
    const registry = new Registry();
    const metrics = busMetrics(registry);
    const slot = { group: 'billing.settlement', topic: 'executions', partition: 3 };
    metrics.batchHandled?.(slot, 5, 12);
    metrics.batchRetried?.(slot);
    metrics.batchFenced?.(slot);
    metrics.eventsParked?.(slot, 2);
    metrics.lag?.(slot, 7);
    const text = await registry.metrics();
    expect(text).toContain('events_handled_total{group="billing.settlement",topic="executions"} 5');
    expect(text).toContain('event_batches_fenced_total{group="billing.settlement",topic="executions"} 1');
    expect(text).toContain('event_consumer_lag{group="billing.settlement",topic="executions",partition="3"} 7');
    metrics.lag?.(slot, undefined);
    expect(await registry.metrics()).not.toContain('event_consumer_lag{');
  });

  it('show for how long an event waits, which grows while nothing is reported, until none waits', async () => {
    const registry = new Registry();
    const metrics = busMetrics(registry);
    const slot = { group: 'billing.settlement', topic: 'executions', partition: 3 };
    const ages = async (): Promise<number[]> =>
      Promise.all(
        ['event_consumer_lag_seconds', 'event_outbox_oldest_seconds'].map(async (name) => {
          const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
          return values[0]?.value ?? Number.NaN;
        }),
      );
    metrics.oldestUnhandled?.(slot, Date.now() - 60_000);
    metrics.oldestUnpublished?.({ relay: 'execution-relay' }, Date.now() - 60_000);
    const before = await ages();
    await delay(5);
    const after = await ages();
    for (const [index, age] of after.entries()) {
      expect(age).toBeGreaterThanOrEqual(60);
      expect(age).toBeGreaterThan(before[index] ?? Number.NaN);
    }
    metrics.oldestUnhandled?.(slot, undefined);
    // Where the clock of the database is ahead.
    metrics.oldestUnpublished?.({ relay: 'execution-relay' }, Date.now() + 60_000);
    expect(await ages()).toEqual([0, 0]);
  });
});
