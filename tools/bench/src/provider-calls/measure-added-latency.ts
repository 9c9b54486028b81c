import type { ExpectedBooks } from '../accounted-calls/books.js';
import type { StandaloneTarget } from '../accounted-calls/on-standalone.js';
import { clean, cpuPerRequest, timedRound, turnAbout, type Round } from '../load/rounds.js';
import { SteadyLoadGenerator } from '../load/run-steady-load.js';
import type { SteadyJob, SteadyResult } from '../load/steady-job.js';
import { median, medianOf } from '../statistics.js';
import type { LoopbackProcesses } from './loopback-processes.js';
import { parameters, pathOf, toolIdOf, type PublishedTool } from './publish-tools.js';
import type { LatencySizes } from './sizes.js';

const ways = ['provider directly', 'through a reverse proxy', 'through the router'] as const;
const MILLISECONDS_PER_SECOND = 1_000;

type Way = (typeof ways)[number];

/** The processes whose CPU is told; the router's own idle work is no part of a request that does not reach it. */
const processesOf: Readonly<Record<Way, readonly string[]>> = {
  'provider directly': ['provider', 'load generator'],
  'through a reverse proxy': ['reverse proxy', 'provider', 'load generator'],
  'through the router': ['standalone', 'PostgreSQL', 'provider', 'load generator'],
};

export interface LatencyRow {
  readonly what: Way;
  /** Less than the rate at which requests arrived where they were not kept up with. */
  readonly answersPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Over the provider directly, in the same round. */
  readonly addedP50Ms: number;
  readonly addedP95Ms: number;
  /** CPU microseconds for one request, by process. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
}

export interface LatencyResult extends LatencySizes {
  /** After which the provider answers. */
  readonly providerMs: number;
  readonly rows: readonly LatencyRow[];
}

export interface LatencySite {
  readonly target: StandaloneTarget;
  readonly processes: LoopbackProcesses;
  readonly books: ExpectedBooks;
  readonly keys: readonly string[];
  readonly tool: PublishedTool;
}

/** The same steady load on the provider, on a reverse proxy before it, and as paid calls through the router. */
export async function measureAddedLatency(
  { target, processes, books, keys, tool }: LatencySite,
  sizes: LatencySizes,
  log: (line: string) => void,
): Promise<LatencyResult> {
  const get = { method: 'GET', path: pathOf(tool), bodies: [], keys: [''] } as const;
  const jobs: Readonly<Record<Way, Omit<SteadyJob, 'perSecond' | 'seconds'>>> = {
    'provider directly': { ...get, origin: processes.providerOrigin },
    'through a reverse proxy': { ...get, origin: processes.proxyOrigin },
    'through the router': {
      method: 'POST',
      origin: target.origin,
      path: '/api/v1/tools/execute',
      bodies: [JSON.stringify({ tool_id: toolIdOf(tool), parameters })],
      keys,
      requireSuccess: true,
    },
  };
  const load = new SteadyLoadGenerator();
  const run = async (way: Way, seconds: number): Promise<SteadyResult> => {
    const result = clean(await load.run({ ...jobs[way], perSecond: sizes.perSecond, seconds }));
    // Settling is part of a call, so its CPU is counted in.
    if (way === 'through the router') await books.settled({ paid: result.good, free: 0 }, result.lastAnswerAtMs);
    return result;
  };
  const cpu = (): Record<string, number> => ({ ...target.cpu(), ...processes.cpu() });
  try {
    for (const way of ways) await run(way, sizes.warmUpSeconds);
    const rounds = await turnAbout(ways, sizes.rounds, async (way) => {
      const round = await timedRound(cpu, () => run(way, sizes.roundSeconds));
      const { p50Ms, p95Ms, p99Ms } = round.result;
      log(`${way}: p50 ${p50Ms.toFixed(2)} ms, p95 ${p95Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`);
      return round;
    });
    const direct = rounds('provider directly');
    return {
      ...sizes,
      providerMs: tool.delayMs,
      rows: ways.map((way) => rowOf(way, rounds(way), direct)),
    };
  } finally {
    await load.stop();
  }
}

function rowOf(what: Way, rounds: readonly Round<SteadyResult>[], direct: readonly Round<SteadyResult>[]): LatencyRow {
  const added = (read: (result: SteadyResult) => number): number =>
    median(rounds.map(({ result }, index) => read(result) - read(direct[index]?.result ?? result)));
  const cpu = cpuPerRequest(rounds);
  return {
    what,
    answersPerSecond: medianOf(rounds, ({ result }) => (result.good / result.elapsedMs) * MILLISECONDS_PER_SECOND),
    p50Ms: medianOf(rounds, ({ result }) => result.p50Ms),
    p95Ms: medianOf(rounds, ({ result }) => result.p95Ms),
    p99Ms: medianOf(rounds, ({ result }) => result.p99Ms),
    addedP50Ms: added(({ p50Ms }) => p50Ms),
    addedP95Ms: added(({ p95Ms }) => p95Ms),
    cpuMicroseconds: Object.fromEntries(processesOf[what].map((name) => [name, cpu[name] ?? 0])),
  };
}
