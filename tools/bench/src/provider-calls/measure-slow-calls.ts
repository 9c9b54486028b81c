import type pg from 'pg';
import type { ExpectedBooks } from '../accounted-calls/books.js';
import { BENCH_APPLICATION_NAME, type StandaloneTarget } from '../accounted-calls/on-standalone.js';
import { SteadyLoadGenerator } from '../load/run-steady-load.js';
import { sampleWhile } from '../load/sample-while.js';
import { saysSuccess } from '../load/says-success.js';
import { median } from '../statistics.js';
import type { LoopbackProcesses } from './loopback-processes.js';
import { parameters, toolIdOf, type PublishedTool } from './publish-tools.js';
import type { SlowSizes } from './sizes.js';

/** Within which all calls arrive. */
const ARRIVAL_SECONDS = 0.1;
const SAMPLE_MS = 100;
const PROBE_TIMEOUT_MS = 30_000;
const freeCall = JSON.stringify({
  tool_id: 'formula.unit.convert.v1',
  parameters: { value: 5, from_unit: 'mile', to_unit: 'km' },
});

/** Of requests that were sent one after the other while the slow calls ran. */
export interface Probes {
  readonly sent: number;
  readonly good: number;
  readonly medianMs: number;
  readonly mostMs: number;
}

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
  /** Calls that providers had at the same time, as the providers counted them. */
  readonly mostAtProviders: number;
  readonly connections: {
    readonly mostOpen: number;
    /** In a statement or transaction. */
    readonly mostBusy: number;
    /** What the server allows. */
    readonly limit: number;
  };
  /** Bytes, RSS of Node with the processes of tools. */
  readonly memory: { readonly before: number; readonly most: number };
  readonly health: Probes;
  readonly freeCalls: Probes;
}

export interface SlowSite {
  readonly target: StandaloneTarget;
  readonly processes: LoopbackProcesses;
  readonly books: ExpectedBooks;
  readonly keys: readonly string[];
  /** Taken in turn. */
  readonly tools: readonly PublishedTool[];
}

interface Probe {
  readonly ok: boolean;
  readonly ms: number;
}

interface Sample {
  readonly open: number;
  readonly busy: number;
  readonly rss: number;
  readonly health: Probe;
  readonly freeCall: Probe;
}

/** Slow calls that arrive all at once; meanwhile a health check and a free call are made again and again. */
export async function measureSlowCalls(
  { target, processes, books, keys, tools }: SlowSite,
  sizes: SlowSizes,
  log: (line: string) => void,
): Promise<SlowResult> {
  const [freeKey = '', ...callKeys] = keys;
  const load = new SteadyLoadGenerator();
  try {
    const before = target.nodeMemory().rss;
    const limit = await connectionLimit(target.billing);
    const batch = load.run({
      origin: target.origin,
      method: 'POST',
      path: '/api/v1/tools/execute',
      bodies: tools.map((tool) => JSON.stringify({ tool_id: toolIdOf(tool), parameters })),
      keys: callKeys,
      perSecond: sizes.calls / ARRIVAL_SECONDS,
      seconds: ARRIVAL_SECONDS,
      maxSockets: sizes.calls,
      requireSuccess: true,
    });
    const samples: Sample[] = [];
    const result = await sampleWhile(batch, SAMPLE_MS, async () => {
      samples.push(await sample(target, freeKey));
    });
    const freeCalls = probesOf(samples.map(({ freeCall: probe }) => probe));
    // What was refused or lost cannot be reconciled by counting; the section says so.
    if (result.good === result.sent && freeCalls.good === freeCalls.sent) {
      await books.settled({ paid: result.good, free: freeCalls.good }, result.lastAnswerAtMs);
    }
    const { mostWaiting } = await processes.counts();
    log(`${result.good} of ${result.sent} slow calls in ${result.elapsedMs.toFixed(0)} ms, ${mostWaiting} at once`);
    return {
      ...sizes,
      delayMs: tools[0]?.delayMs ?? 0,
      good: result.good,
      bad: result.bad,
      ...(result.badSample === undefined ? {} : { badSample: result.badSample }),
      wallMs: result.elapsedMs,
      p50Ms: result.p50Ms,
      mostMs: result.mostMs,
      mostAtProviders: mostWaiting,
      connections: {
        mostOpen: Math.max(...samples.map(({ open }) => open)),
        mostBusy: Math.max(...samples.map(({ busy }) => busy)),
        limit,
      },
      memory: { before, most: Math.max(...samples.map(({ rss }) => rss)) },
      health: probesOf(samples.map(({ health }) => health)),
      freeCalls,
    };
  } finally {
    await load.stop();
  }
}

async function sample(target: StandaloneTarget, freeKey: string): Promise<Sample> {
  const connections = await connectionsInUse(target.billing);
  const { rss } = target.nodeMemory();
  const health = await probe(() => fetch(`${target.origin}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }));
  const called = await probe(
    () =>
      fetch(`${target.origin}/api/v1/tools/execute`, {
        method: 'POST',
        headers: { authorization: `Bearer ${freeKey}`, 'content-type': 'application/json' },
        body: freeCall,
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      }),
    saysSuccess,
  );
  return { ...connections, rss, health, freeCall: called };
}

async function probe(send: () => Promise<Response>, accept: (body: string) => boolean = () => true): Promise<Probe> {
  const startedMs = performance.now();
  try {
    const answer = await send();
    const body = await answer.text();
    return { ok: answer.status === 200 && accept(body), ms: performance.now() - startedMs };
  } catch {
    return { ok: false, ms: performance.now() - startedMs };
  }
}

const probesOf = (probes: readonly Probe[]): Probes => ({
  sent: probes.length,
  good: probes.filter(({ ok }) => ok).length,
  medianMs: median(probes.map(({ ms }) => ms)),
  mostMs: Math.max(...probes.map(({ ms }) => ms)),
});

async function connectionLimit(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ limit: number }>(`SELECT current_setting('max_connections')::int AS limit`);
  return rows[0]?.limit ?? 0;
}

/** Of all services, whatever their database; without those of the bench. */
async function connectionsInUse(pool: pg.Pool): Promise<{ readonly open: number; readonly busy: number }> {
  const { rows } = await pool.query<{ open: number; busy: number }>(
    `SELECT count(*)::int AS open, count(*) FILTER (WHERE state <> 'idle')::int AS busy FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND application_name <> $1`,
    [BENCH_APPLICATION_NAME],
  );
  return rows[0] ?? { open: 0, busy: 0 };
}
