import type pg from 'pg';
import type { ExpectedBooks } from '../accounted-calls/books.js';
import { BENCH_APPLICATION_NAME, type StandaloneTarget } from '../accounted-calls/on-standalone.js';
import { clean } from '../load/rounds.js';
import { SteadyLoadGenerator } from '../load/run-steady-load.js';
import { sampleWhile } from '../load/sample-while.js';
import type { SteadyJob } from '../load/steady-job.js';
import type { LoopbackProcesses } from './loopback-processes.js';
import { allGood, Prober, summaries, type ProbeRound, type ProbeSummaries } from './probes.js';
import { parameters, pathOf, toolIdOf, type PublishedTool } from './publish-tools.js';
import type { SlowSizes } from './sizes.js';

/** Within which all calls arrive. */
const ARRIVAL_SECONDS = 0.1;
const SAMPLE_MS = 100;
/** Rounds of probes before the slow calls, to compare with. */
const IDLE_ROUNDS = 20;

export interface SlowResult extends SlowSizes {
  /** Each call takes its provider so long. */
  readonly delayMs: number;
  /** Answered 200 with `success: true`. */
  readonly good: number;
  readonly bad: Readonly<Record<string, number>>;
  readonly badSample?: string;
  /** From the first call to the last answer. */
  readonly wallMs: number;
  readonly p50Ms: number;
  readonly mostMs: number;
  /** Calls that were sent and not answered yet at the same time, as the load generator counted them. */
  readonly mostAtOnce: number;
  /** Calls that providers had at the same time, as the providers counted them. */
  readonly mostAtProviders: number;
  readonly connections: {
    readonly mostOpen: number;
    /** In a statement or transaction. */
    readonly mostBusy: number;
    /** The limits of the server. */
    readonly limit: number;
  };
  /** Bytes, RSS of Node with the processes of tools. */
  readonly memory: { readonly before: number; readonly most: number };
  /** Before the slow calls, and while they ran. */
  readonly probes: { readonly idle: ProbeSummaries; readonly meanwhile: ProbeSummaries };
  /** The same requests to the same provider through a plain reverse proxy. */
  readonly proxy: { readonly wallMs: number; readonly p50Ms: number; readonly mostMs: number };
}

export interface SlowSite {
  readonly target: StandaloneTarget;
  readonly processes: LoopbackProcesses;
  readonly books: ExpectedBooks;
  readonly keys: readonly string[];
  /** Taken in turn. */
  readonly tools: readonly PublishedTool[];
  readonly fastTool: PublishedTool;
}

interface Sample {
  readonly open: number;
  readonly busy: number;
  readonly rss: number;
  readonly probes: ProbeRound;
}

/** Slow calls that arrive all at once; meanwhile others are made again and again. */
export async function measureSlowCalls(
  { target, processes, books, keys, tools, fastTool }: SlowSite,
  sizes: SlowSizes,
  log: (line: string) => void,
): Promise<SlowResult> {
  const [tool] = tools;
  if (tool === undefined) throw new Error('slow calls need a slow provider');
  const burst = {
    perSecond: sizes.calls / ARRIVAL_SECONDS,
    seconds: ARRIVAL_SECONDS,
    maxSockets: sizes.calls,
  } satisfies Partial<SteadyJob>;
  const prober = new Prober(target.origin, keys, fastTool);
  const load = new SteadyLoadGenerator();
  try {
    const idleRounds: ProbeRound[] = [];
    while (idleRounds.length < IDLE_ROUNDS) idleRounds.push(await prober.round());
    const before = target.nodeMemory().rss;
    const limit = await connectionLimit(target.billing);
    const batch = load.run({
      ...burst,
      origin: target.origin,
      method: 'POST',
      path: '/api/v1/tools/execute',
      bodies: tools.map((slow) => JSON.stringify({ tool_id: toolIdOf(slow), parameters })),
      keys,
      requireSuccess: true,
    });
    const samples: Sample[] = [];
    const result = await sampleWhile(batch, SAMPLE_MS, async () => {
      samples.push(await sample(target, prober));
    });
    const probes = { idle: summaries(idleRounds), meanwhile: summaries(samples.map((one) => one.probes)) };
    // Calls that were refused or lost cannot be reconciled by counting; the section says so.
    if (result.good === result.sent && allGood(probes.idle) && allGood(probes.meanwhile)) {
      const paid = result.good + probes.idle.paidCall.good + probes.meanwhile.paidCall.good;
      const free = probes.idle.freeCall.good + probes.meanwhile.freeCall.good;
      await books.settled({ paid, free }, result.lastAnswerAtMs);
    }
    const { mostWaiting } = await processes.counts(tool.delayMs);
    log(`${result.good} of ${result.sent} slow calls in ${result.elapsedMs.toFixed(0)} ms, ${mostWaiting} at once`);
    const proxied = clean(
      await load.run({
        ...burst,
        origin: processes.proxyOrigin,
        method: 'GET',
        path: pathOf(tool),
        bodies: [],
        keys: [''],
      }),
    );
    return {
      ...sizes,
      delayMs: tool.delayMs,
      good: result.good,
      bad: result.bad,
      ...(result.badSample === undefined ? {} : { badSample: result.badSample }),
      wallMs: result.elapsedMs,
      p50Ms: result.p50Ms,
      mostMs: result.mostMs,
      mostAtOnce: result.mostOpen,
      mostAtProviders: mostWaiting,
      connections: {
        mostOpen: Math.max(...samples.map(({ open }) => open)),
        mostBusy: Math.max(...samples.map(({ busy }) => busy)),
        limit,
      },
      memory: { before, most: Math.max(...samples.map(({ rss }) => rss)) },
      probes,
      proxy: { wallMs: proxied.elapsedMs, p50Ms: proxied.p50Ms, mostMs: proxied.mostMs },
    };
  } finally {
    await load.stop();
  }
}

async function sample(target: StandaloneTarget, prober: Prober): Promise<Sample> {
  const connections = await connectionsInUse(target.billing);
  const { rss } = target.nodeMemory();
  return { ...connections, rss, probes: await prober.round() };
}

async function connectionLimit(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ limit: number }>(`SELECT current_setting('max_connections')::int AS limit`);
  return rows[0]?.limit ?? 0;
}

/** Connections of all services, whatever their database; those of the bench do not count. */
async function connectionsInUse(pool: pg.Pool): Promise<{ readonly open: number; readonly busy: number }> {
  const { rows } = await pool.query<{ open: number; busy: number }>(
    `SELECT count(*)::int AS open, count(*) FILTER (WHERE state <> 'idle')::int AS busy FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND application_name <> $1`,
    [BENCH_APPLICATION_NAME],
  );
  return rows[0] ?? { open: 0, busy: 0 };
}
