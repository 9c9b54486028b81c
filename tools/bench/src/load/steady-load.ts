/** The open-loop load generator, in a process of its own: takes jobs by message, one at a time, and answers with what it saw. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics.js';
import { hasMember, saysSuccess } from './says-success.js';
import type { SteadyJob, SteadyResult } from './steady-job.js';

const DEFAULT_MAX_SOCKETS = 256;
const ANSWER_TIMEOUT_MS = 30_000;
const MICROSECONDS_PER_SECOND = 1_000_000;
const MAX_SAMPLE_LENGTH = 500;

interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly text: string;
}

process.on('message', (job: SteadyJob) => {
  void run(job).then((result) => process.send?.(result));
});

async function run(job: SteadyJob): Promise<SteadyResult> {
  const cpuBefore = process.cpuUsage();
  const agent = new Agent({ keepAlive: true, maxSockets: job.maxSockets ?? DEFAULT_MAX_SOCKETS });
  const latencies: number[] = [];
  const bad: Record<string, number> = {};
  const under: Promise<void>[] = [];
  let badSample: string | undefined;
  let bytes = 0;
  let withMember = 0;
  let lastMs = 0;
  let open = 0;
  let mostOpen = 0;

  const send = async (index: number, dueMs: number): Promise<void> => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    const answer = await exchange(agent, job, index).catch((error: unknown) => String(error));
    lastMs = performance.now();
    open -= 1;
    latencies.push(lastMs - dueMs);
    if (
      typeof answer === 'object' &&
      answer.status === 200 &&
      (job.requireSuccess !== true || saysSuccess(answer.text))
    ) {
      bytes += answer.bytes;
      if (job.countMember !== undefined && hasMember(answer.text, job.countMember)) withMember += 1;
      return;
    }
    const kind = typeof answer === 'object' ? String(answer.status) : 'connection error';
    bad[kind] = (bad[kind] ?? 0) + 1;
    badSample ??= (typeof answer === 'object' ? answer.text : answer).slice(0, MAX_SAMPLE_LENGTH);
  };

  const total = Math.round(job.perSecond * job.seconds);
  const startedMs = performance.now();
  for (let index = 0; index < total; index += 1) {
    const dueMs = startedMs + (index / job.perSecond) * 1_000;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    under.push(send(index, dueMs));
  }
  await Promise.all(under);
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const good = total - Object.values(bad).reduce((sum, count) => sum + count, 0);
  const cpu = process.cpuUsage(cpuBefore);
  return {
    sent: total,
    mostOpen,
    elapsedMs: lastMs - startedMs,
    lastAnswerAtMs: performance.timeOrigin + lastMs,
    good,
    bad,
    ...(badSample === undefined ? {} : { badSample }),
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    p99Ms: percentile(latencies, 0.99),
    mostMs: latencies.at(-1) ?? Number.NaN,
    withMember,
    meanBytes: bytes / Math.max(1, good),
    cpuSeconds: (cpu.user + cpu.system) / MICROSECONDS_PER_SECOND,
  };
}

function exchange(agent: Agent, job: SteadyJob, index: number): Promise<Answer> {
  const body = job.bodies[index % Math.max(1, job.bodies.length)];
  const key = job.keys[index % job.keys.length] ?? '';
  const options = {
    agent,
    method: job.method,
    timeout: ANSWER_TIMEOUT_MS,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${job.origin}${job.path}`, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (response.statusCode !== 200 || job.requireSuccess === true) chunks.push(chunk);
      });
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes, text: Buffer.concat(chunks).toString('utf8') }),
      );
      response.once('error', reject);
    });
    sent.once('timeout', () => sent.destroy(new Error('timeout')));
    sent.once('error', reject);
    sent.end(body);
  });
}
