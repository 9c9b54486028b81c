/** The load generator, in a process of its own: takes jobs by message, one at a time, and answers with what it saw. */
import autocannon from 'autocannon';
import { percentile } from '../statistics.js';
import type { LoadJob, LoadResult } from './load-job.js';
import { saysSuccess } from './says-success.js';

const ANSWER_TIMEOUT_SECONDS = 30;
/** Milliseconds. autocannon reports the end of a run at its next sample. */
const SAMPLE_INTERVAL_MS = 20;
const MICROSECONDS_PER_SECOND = 1_000_000;
const MAX_SAMPLE_LENGTH = 500;

process.on('message', (job: LoadJob) => {
  void run(job).then((result) => process.send?.(result));
});

async function run(job: LoadJob): Promise<LoadResult> {
  const cpuBefore = process.cpuUsage();
  const latencies: number[] = [];
  const bad: Record<string, number> = {};
  let badSample: string | undefined;
  let good = 0;
  let clients = 0;
  let lastMs = 0;
  const onResponse = (status: number, body: string): void => {
    if (status === 200 && (job.requireSuccess !== true || saysSuccess(body))) {
      good += 1;
      return;
    }
    bad[status] = (bad[status] ?? 0) + 1;
    badSample ??= body.slice(0, MAX_SAMPLE_LENGTH);
  };
  const request = (key: string, address?: string): autocannon.Request => ({
    method: job.method,
    path: job.path,
    headers: {
      ...(job.headers ?? { authorization: `Bearer ${key}` }),
      ...job.moreHeaders,
      ...(job.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    },
    ...(job.body === undefined ? {} : { body: job.body }),
    onResponse,
  });
  const startedMs = performance.now();
  const running = autocannon({
    url: `${job.origin}${job.path}`,
    method: job.method,
    headers: {},
    connections: job.connections,
    amount: job.amount,
    timeout: ANSWER_TIMEOUT_SECONDS,
    sampleInt: SAMPLE_INTERVAL_MS,
    setupClient: (client) => {
      const share = <T>(all: readonly T[]): T[] => {
        const shares = Math.min(job.connections, all.length);
        return all.filter((_, index) => index % shares === clients % shares);
      };
      const mine = share(job.keys);
      const from = job.addresses === undefined ? undefined : share(job.addresses);
      clients += 1;
      client.setRequests(
        from === undefined ? mine.map((key) => request(key)) : from.map((address) => request(mine[0] ?? '', address)),
      );
    },
  });
  running.on('response', (_client: unknown, _status: number, _bytes: number, durationMs: number) => {
    latencies.push(durationMs);
    lastMs = performance.now();
  });
  const { errors, timeouts } = await running;
  if (errors > 0) bad['connection error'] = errors;
  if (timeouts > 0) bad['timeout'] = timeouts;
  latencies.sort((a, b) => a - b);
  const cpu = process.cpuUsage(cpuBefore);
  return {
    elapsedMs: lastMs - startedMs,
    lastAnswerAtMs: performance.timeOrigin + lastMs,
    good,
    bad,
    ...(badSample === undefined ? {} : { badSample }),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuSeconds: (cpu.user + cpu.system) / MICROSECONDS_PER_SECOND,
  };
}
