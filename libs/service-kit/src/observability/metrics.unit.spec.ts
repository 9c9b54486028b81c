import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Counter, Gauge, Registry } from 'prom-client';
import { createMetrics, httpDurations, listenMetrics, type MetricsListener } from './metrics.js';

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

  it('leads from buckets to traces for whoever reads OpenMetrics, and is the plain text as ever for others', async () => {
    const registry = new Registry();
    new Counter({ name: 'calls_total', help: 'x', registers: [registry] }).inc(3);
    const durations = httpDurations(registry);
    const labels = { service: 'billing', method: 'GET', route: '/"a\\b"', status: 200 };
    durations.observe(labels, 0.03, 'a'.repeat(32));
    durations.observe(labels, 0.04, 'b'.repeat(32));
    durations.observe(labels, 200, 'c'.repeat(32));
    durations.observe(labels, 0.3, undefined);
    listener = await listenMetrics(registry, '127.0.0.1', 0);
    const read = async (accept: string): Promise<readonly [string | null, string]> => {
      const answer = await fetch(`http://127.0.0.1:${listener?.port}/metrics`, { headers: { accept } });
      return [answer.headers.get('content-type'), await answer.text()];
    };

    expect(await read('*/*')).toEqual([registry.contentType, await registry.metrics()]);
    // As a Prometheus asks.
    const [type, text] = await read('application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3');
    expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(text).toMatch(/^# HELP calls x\n# TYPE calls counter\ncalls_total 3\n/);
    expect(text).toMatch(/\n# EOF\n$/);
    expect(text).not.toContain('\n\n');
    const exemplars = [...text.matchAll(/le="([^"]+)".* # \{trace_id="(\w)\2{31}"\} (\S+) \d{10}\.?\d*$/gm)].map(
      (found) => found.slice(1),
    );
    expect(exemplars).toEqual([
      ['0.05', 'b', '0.04'],
      ['+Inf', 'c', '200'],
    ]);
  });
});
