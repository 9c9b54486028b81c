import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { workspaceRoot } from '../workspace.js';
import { dashboardOf } from './dashboard.js';
import { dashboardPlans } from './dashboards.js';

const read = (path: string): string => readFileSync(join(workspaceRoot, path), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
}

/** PromQL by the place that has it. */
const queries = Object.fromEntries([
  ...(parse(read('deploy/helm/capability-router/files/alerts.yaml')) as readonly Alert[]).map(
    ({ alert, expr }) => [`alert ${alert}`, expr] as const,
  ),
  ...Object.entries(dashboardPlans).flatMap(([name, { rows }]) =>
    Object.values(rows)
      .flat()
      .flatMap(({ title, queries: asked }) =>
        Object.entries(asked).map(([legend, expr]) => [`${name}: ${title}, ${legend}`, expr] as const),
      ),
  ),
]);

/** Each metric of docs/metrics.md with its labels. */
const documented = new Map(
  [...read('docs/metrics.md').matchAll(/`([a-z][a-z_]*)(?:\{([a-z_,]+)\})?`/g)].map(
    ([, name = '', labels]) => [name, labels?.split(',') ?? []] as const,
  ),
);
/** Those of prom-client's figures of the process that are shown; none has a label. */
const ofProcess = new Map<string, readonly string[]>([
  ['process_cpu_seconds_total', []],
  ['process_resident_memory_bytes', []],
  ['nodejs_eventloop_lag_p99_seconds', []],
]);
/** Set by the scrape: Prometheus and the ServiceMonitor of the chart set them. */
const OF_TARGET = ['namespace', 'release', 'component'];
const OF_HISTOGRAM = 'le';
/** Tasks run every second or once a day: lines of their ages beside each other say nothing. */
const UNSEEN: readonly string[] = ['periodic_task_last_done_timestamp_seconds'];

interface Asked {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  readonly faults: number;
}

/** The metrics and labels that a query names, by Prometheus' own grammar. */
function askedBy(query: string): Asked {
  const text = query.replaceAll('$__rate_interval', '5m');
  const asked = { metrics: [] as string[], labels: [] as string[], faults: 0 };
  parser.parse(text).iterate({
    enter: ({ name, type, node, from, to }) => {
      if (type.isError) asked.faults += 1;
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') asked.metrics.push(text.slice(from, to));
      if (name === 'LabelName') asked.labels.push(text.slice(from, to));
    },
  });
  return asked;
}

/** A histogram's metric has three names of its own. */
const plainName = (metric: string): string => metric.replace(/_(bucket|sum|count)$/, '');

describe('the queries of alerts and dashboards', () => {
  it.each(Object.entries(queries))('are PromQL of metrics and labels that there are: %s', (_place, query) => {
    const { metrics, labels, faults } = askedBy(query);
    expect(faults).toBe(0);
    expect(metrics.length).toBeGreaterThan(0);
    const labelsOf = (metric: string): readonly string[] | undefined =>
      documented.get(metric) ?? documented.get(plainName(metric)) ?? ofProcess.get(metric);
    expect(metrics.filter((metric) => labelsOf(metric) === undefined)).toEqual([]);
    const known = [...metrics.flatMap((metric) => labelsOf(metric) ?? []), ...OF_TARGET, OF_HISTOGRAM];
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
  });

  it('tell releases apart', () => {
    for (const [place, query] of Object.entries(queries)) {
      if (place.startsWith('alert')) {
        const aggregations = query.match(/\b(max|min|sum|count|avg)\b/g)?.length;
        expect({ place, aggregations: query.match(/by \(namespace, release[,)]/g)?.length }).toEqual({
          place,
          aggregations,
        });
      } else {
        const { metrics } = askedBy(query);
        const scoped = query.match(/namespace=~"\$namespace",release=~"\$release"/g)?.length;
        expect({ place, scoped }).toEqual({ place, scoped: metrics.length });
      }
    }
  });

  it('show every counter, time and sum of docs/metrics.md, but for one', () => {
    const shown = new Set(Object.values(queries).flatMap((query) => askedBy(query).metrics.map(plainName)));
    const unseen = [...documented.keys()].filter(
      (name) => /_(total|seconds|credits|bytes_max)$/.test(name) && !shown.has(name),
    );
    expect(unseen.toSorted()).toEqual(UNSEEN);
  });
});

describe('a dashboard', () => {
  it.each(Object.entries(dashboardPlans))('names each panel once, and each of its lines: %s', (_name, plan) => {
    const { panels = [], uid } = dashboardOf(plan);
    expect(uid?.length).toBeLessThanOrEqual(40);
    const titles = panels.map((panel) => panel.title);
    expect(new Set(titles).size).toBe(titles.length);
    const ids = panels.map((panel) => panel.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
