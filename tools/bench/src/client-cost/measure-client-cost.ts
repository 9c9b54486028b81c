import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { createClient } from '@capability-router/client';
import { Child } from '../child.js';
import type { Listening } from '../gateway-hop/hop-process.js';
import { medianOf, percentile } from '../statistics.js';
import { benchProgram } from '../workspace.js';

const ROUNDS = 11;
const REQUESTS_PER_ROUND = 3_000;
const START_TIMEOUT_MS = 20_000;
const TIMEOUT_MS = 110_000;

const body = {
  tool_id: 'formula.expression.evaluate.v1',
  parameters: { expression: 'sqrt(a^2 + b^2)', variables: { a: 3, b: 4 } },
};

export interface WayRow {
  readonly way: string;
  readonly p50Microseconds: number;
  /** Processor time of this process for one request, its answer read as JSON. */
  readonly cpuMicroseconds: number;
  /** Beyond plain `fetch`, in the same round. */
  readonly addedP50Microseconds: number;
  readonly addedCpuMicroseconds: number;
}
type Round = Pick<WayRow, 'p50Microseconds' | 'cpuMicroseconds'>;

/** One call after the other by each way, turn about, in this process; the router that answers is another process. */
export async function measureClientCost(log: (line: string) => void): Promise<readonly WayRow[]> {
  const router = new Child('the router', benchProgram('client-cost/router-process.js'));
  try {
    const { url } = await router.receive<Listening>(START_TIMEOUT_MS);
    const ways = waysTo(url);
    const rounds: Record<string, Round>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const measured: Record<string, Round> = {};
      for (const [way, send] of Object.entries(ways)) measured[way] = await measure(send);
      // The first round warms up.
      if (round > 0) rounds.push(measured);
    }
    const rows = Object.keys(ways).map((way) => rowOf(way, rounds));
    for (const { way, p50Microseconds, cpuMicroseconds } of rows) {
      log(`${way}: p50 ${p50Microseconds.toFixed(0)} µs, ${cpuMicroseconds.toFixed(0)} µs of processor time a request`);
    }
    return rows;
  } finally {
    await router.stop();
  }
}

const PLAIN = 'plain `fetch`';

function waysTo(origin: string): Readonly<Record<string, () => Promise<unknown>>> {
  const client = createClient({ baseUrl: origin, apiKey: 'sk-bench' });
  const url = `${origin}/api/v1/tools/execute`;
  const plain = async (more: RequestInit): Promise<unknown> => {
    const headers = {
      authorization: 'Bearer sk-bench',
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...more });
    return response.json();
  };
  return {
    [PLAIN]: () => plain({}),
    '`fetch` with a time-out': () => plain({ signal: AbortSignal.timeout(TIMEOUT_MS) }),
    'the client': () => client.POST('/tools/execute', { body }),
  };
}

async function measure(send: () => Promise<unknown>): Promise<Round> {
  const tookMs: number[] = [];
  const cpu = process.cpuUsage();
  for (let sent = 0; sent < REQUESTS_PER_ROUND; sent += 1) {
    const startedMs = performance.now();
    await send();
    tookMs.push(performance.now() - startedMs);
  }
  const { user, system } = process.cpuUsage(cpu);
  const p50Ms = percentile(
    tookMs.sort((a, b) => a - b),
    0.5,
  );
  return { p50Microseconds: p50Ms * 1_000, cpuMicroseconds: (user + system) / REQUESTS_PER_ROUND };
}

function rowOf(way: string, rounds: readonly Readonly<Record<string, Round>>[]): WayRow {
  const of = (round: Readonly<Record<string, Round>>, name: string, figure: keyof Round): number =>
    round[name]?.[figure] ?? Number.NaN;
  const added = (figure: keyof Round): number =>
    medianOf(rounds, (round) => of(round, way, figure) - of(round, PLAIN, figure));
  return {
    way,
    p50Microseconds: medianOf(rounds, (round) => of(round, way, 'p50Microseconds')),
    cpuMicroseconds: medianOf(rounds, (round) => of(round, way, 'cpuMicroseconds')),
    addedP50Microseconds: added('p50Microseconds'),
    addedCpuMicroseconds: added('cpuMicroseconds'),
  };
}
