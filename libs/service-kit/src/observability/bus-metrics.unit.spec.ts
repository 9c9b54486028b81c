import { describe, expect, it } from '@jest/globals';
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
  });
});
