import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Gauge, Registry } from 'prom-client';
import { createMetrics, listenMetrics, type MetricsListener } from './metrics.js';

describe('build_info', () => {
  it('has the version of the repository that it is built from', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await createMetrics().getSingleMetricAsString('build_info')).toContain(`build_info{version="${version}",`);
  });
});

describe('GET /metrics', () => {
  let listener: MetricsListener | undefined;
  afterEach(() => listener?.close());

  it('tells the metrics that can be read while others wait for a database in vain, or fail', async () => {
    const registry = new Registry();
    const registers = [registry];
    new Gauge({ name: 'plain', help: 'x', registers }).set(7);
    new Gauge({ name: 'hanging', help: 'x', registers, collect: () => new Promise<void>(() => undefined) });
    new Gauge({ name: 'failing', help: 'x', registers, collect: () => Promise.reject(new Error('away')) });
    listener = await listenMetrics(registry, '127.0.0.1', 0);
    const answer = await fetch(`http://127.0.0.1:${listener.port}/metrics`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain('plain 7');
    expect(text).not.toMatch(/hanging|failing/);
  });
});
