import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delay } from '../util/timing.js';
import { API_CONTRACT_VERSION } from '@capability-router/contracts';
import { OPENMETRICS_TYPE, openMetricsOf, readsOpenMetrics, TracedHistogram } from './exemplars.js';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds. From a cached answer to the longest tool deadline. */
const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 100];

/** Milliseconds for reading all metrics; scrapers wait about ten times as long. */
const COLLECT_TIMEOUT_MS = 1_000;

export type HttpDurations = TracedHistogram<'service' | 'method' | 'route' | 'status'>;

const HTTP_DURATIONS = 'http_request_duration_seconds';

/** As `package.json` has it, which a bundle does not carry. */
const BUILD_VERSION = '0.1.0';

export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'build_info',
    help: 'Always 1: the version of the build, of the interface that it answers, and of Node.',
    labelNames: ['version', 'api_version', 'node'] as const,
    registers: [registry],
  }).set({ version: BUILD_VERSION, api_version: API_CONTRACT_VERSION, node: process.versions.node }, 1);
  return registry;
}

/** One histogram per registry, also where several services share a process. */
export function httpDurations(registry: Registry): HttpDurations {
  const existing = registry.getSingleMetric(HTTP_DURATIONS) as Histogram | undefined;
  const histogram =
    existing ??
    new Histogram({
      name: HTTP_DURATIONS,
      help: 'Seconds from the arrival of a request to the end of its answer.',
      labelNames: ['service', 'method', 'route', 'status'],
      buckets: durationBucketsSeconds,
      registers: [registry],
    });
  return new TracedHistogram(histogram, HTTP_DURATIONS, durationBucketsSeconds, registry);
}

/**
 * Every metric that can be read in time: one whose reading fails, or takes too long since the database is away, is left
 * out, and the others are told.
 */
async function collected(registry: Registry): Promise<string> {
  const late = new AbortController();
  const bound = delay(COLLECT_TIMEOUT_MS, late.signal);
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const texts = await Promise.all(
    names.map((name) =>
      Promise.race([registry.getSingleMetricAsString(name).catch(() => undefined), bound.then(() => undefined)]),
    ),
  );
  late.abort();
  return `${texts.filter((text) => text !== undefined).join('\n\n')}\n`;
}

export interface MetricsListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `GET /metrics` on a listener of its own, so that it is never reachable through the service's port. */
export function listenMetrics(registry: Registry, host: string, port: number): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const open = readsOpenMetrics(request.headers.accept);
    collected(registry).then(
      (body) =>
        response
          .writeHead(200, { 'content-type': open ? OPENMETRICS_TYPE : registry.contentType })
          .end(open ? openMetricsOf(body, registry) : body),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
