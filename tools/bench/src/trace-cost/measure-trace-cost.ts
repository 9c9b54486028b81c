import { setTimeout as sleep } from 'node:timers/promises';
import { ExpectedBooks } from '../accounted-calls/books.js';
import type { CallTarget } from '../accounted-calls/call-target.js';
import { paidTool } from '../accounted-calls/measure-calls.js';
import { withStandalone, type StandaloneTarget } from '../accounted-calls/on-standalone.js';
import { openFundedAccounts } from '../accounted-calls/open-accounts.js';
import type { LoadResult } from '../load/load-job.js';
import { clean, cpuPerRequest, roundOf, type Round } from '../load/rounds.js';
import { LoadGenerator } from '../load/run-load.js';
import { machineLine } from '../machine/machine.js';
import { medianOf } from '../statistics.js';
import { Collector } from './collector.js';

const ACCOUNTS = 16;
/** To each router. */
const CONNECTIONS = 2;
const CALLS_PER_ROUND = 400;
const ROUNDS = 7;
/** Longer than spans wait until they are sent: their cost belongs to the round. */
const LAST_SPANS_MS = 1_500;
/** Accounts are few, and none may meet its limit. */
const NO_LIMIT = { RATE_LIMIT_CALL: '1000000' };

/** The ways of tracing: each is a router of its own. The control has the settings of the first, and says how exact the rest is. */
const ways = {
  off: () => ({}),
  'on, no trace kept': (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: '0' }),
  'on, every trace kept': (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: '1' }),
  'off, again': () => ({}),
} satisfies Record<string, (collectorUrl: string) => Readonly<Record<string, string>>>;

export type TracingWay = keyof typeof ways;
const wayNames = Object.keys(ways) as TracingWay[];

export interface TraceCostRow {
  readonly way: TracingWay;
  /** CPU microseconds for one call, by process. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
  /** CPU microseconds of the router beyond `off` in the same round: the median of the rounds, and the middle half of them. */
  readonly added: { readonly median: number; readonly low: number; readonly high: number };
}

export interface TraceCostResult {
  readonly rows: readonly TraceCostRow[];
  /** Those of a call whose trace is kept. */
  readonly spansPerCall: number;
  readonly rounds: number;
  readonly callsPerRound: number;
  readonly connections: number;
  /** Where it was measured. */
  readonly machine: string;
}

interface MeasuredRound {
  readonly of: Readonly<Record<TracingWay, Round<LoadResult>>>;
  /** Spans that the collector got in it. */
  readonly spans: number;
}

/**
 * Paid calls of the same tool by routers that differ in tracing alone. All of them work at the same time, so that whatever else the machine does
 * makes the calls of each as much dearer.
 */
export async function measureTraceCost(log: (line: string) => void): Promise<TraceCostResult> {
  const collector = await Collector.start();
  const rounds: MeasuredRound[] = [];
  try {
    const machine = await withRouters(collector.url, async (targets) => {
      const line = machineLine(targets[0]?.target.versions ?? []);
      const routers = await Promise.all(targets.map(({ way, target }) => Router.open(way, target)));
      try {
        for (let round = 0; round <= ROUNDS; round += 1) {
          const measured = await oneRound(routers, collector);
          const costs = wayNames.map((way) => `${way} ${costOf(measured.of[way]).toFixed(0)}`);
          log(`CPU µs a call by tracing: ${costs.join(', ')}; ${measured.spans} spans`);
          // The first round warms up.
          if (round > 0) rounds.push(measured);
        }
      } finally {
        await Promise.all(routers.map((router) => router.close()));
      }
      return line;
    });
    const rows = wayNames.map((way) => rowOf(way, rounds));
    const spansPerCall = medianOf(rounds, ({ spans, of }) => spans / of['on, every trace kept'].result.good);
    return { rows, spansPerCall, rounds: ROUNDS, callsPerRound: CALLS_PER_ROUND, connections: CONNECTIONS, machine };
  } finally {
    await collector.stop();
  }
}

interface RouterTarget {
  readonly way: TracingWay;
  readonly target: StandaloneTarget;
}

/** Starts a router for each way, one after the other, and ends them all after the work. */
function withRouters<T>(
  collectorUrl: string,
  work: (targets: readonly RouterTarget[]) => Promise<T>,
  targets: readonly RouterTarget[] = [],
): Promise<T> {
  const way = wayNames[targets.length];
  if (way === undefined) return work(targets);
  return withStandalone((target) => withRouters(collectorUrl, work, [...targets, { way, target }]), {
    env: { ...NO_LIMIT, ...ways[way](collectorUrl) },
  });
}

class Router {
  private readonly load = new LoadGenerator();

  private constructor(
    readonly way: TracingWay,
    private readonly target: CallTarget,
    private readonly keys: readonly string[],
    private readonly books: ExpectedBooks,
  ) {}

  static async open(way: TracingWay, target: CallTarget): Promise<Router> {
    const { origin, adminKey: key, billing } = target;
    const keys = await openFundedAccounts({ origin, key }, ACCOUNTS, billing);
    return new Router(way, target, keys, await ExpectedBooks.open(billing));
  }

  get cpu(): CallTarget['cpu'] {
    return this.target.cpu;
  }

  /** Resolves when they are settled. */
  async calls(): Promise<LoadResult> {
    const { origin } = this.target;
    const job = { ...paidTool, origin, keys: this.keys, connections: CONNECTIONS, amount: CALLS_PER_ROUND };
    const result = clean(await this.load.run(job));
    await this.books.settled({ paid: result.good, free: 0 }, result.lastAnswerAtMs);
    return result;
  }

  close(): Promise<void> {
    return this.load.stop();
  }
}

/** A round of all routers at once, which ends when the last of them has settled its calls and all have sent their spans. */
async function oneRound(routers: readonly Router[], collector: Collector): Promise<MeasuredRound> {
  const spansBefore = await collector.spans();
  const begun = routers.map((router) => ({ router, before: router.cpu(), calls: router.calls() }));
  await Promise.all(begun.map(({ calls }) => calls));
  await sleep(LAST_SPANS_MS);
  const rounds = begun.map(async ({ router, before, calls }) => {
    const after = router.cpu();
    return [router.way, roundOf(await calls, before, after)] as const;
  });
  const of = Object.fromEntries(await Promise.all(rounds)) as MeasuredRound['of'];
  return { of, spans: (await collector.spans()) - spansBefore };
}

/** CPU microseconds of the router for one call: its database knows nothing of traces. */
const costOf = (round: Round<LoadResult>): number => cpuPerRequest([round])['standalone'] ?? Number.NaN;

function rowOf(way: TracingWay, rounds: readonly MeasuredRound[]): TraceCostRow {
  const added = rounds.map(({ of }) => costOf(of[way]) - costOf(of.off)).sort((a, b) => a - b);
  const at = (share: number): number => added[Math.round(share * (added.length - 1))] ?? Number.NaN;
  return {
    way,
    cpuMicroseconds: cpuPerRequest(rounds.map(({ of }) => of[way])),
    added: { median: at(0.5), low: at(0.25), high: at(0.75) },
  };
}
