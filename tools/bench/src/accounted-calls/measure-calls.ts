import type { LoadJob, LoadResult } from '../load/load-job.js';
import { LoadGenerator, perSecond } from '../load/run-load.js';
import { medianOf } from '../statistics.js';
import { drained, readBooks } from './books.js';
import type { CallTarget } from './call-target.js';
import { openFundedAccounts } from './open-accounts.js';

/** So many that none of them reaches its limit of 200 calls a minute. */
const ACCOUNTS = 600;
const CONNECTIONS = [1, 8, 32] as const;
const ROUNDS = 3;
const ROUND_SECONDS = 10;
const BASELINE_SECONDS = 5;
/** Calls of one round, so that no account meets its limit. */
const MAX_CALLS_PER_ROUND = 20_000;
const MAX_REQUESTS_PER_ROUND = 60_000;

type Job = Omit<LoadJob, 'amount' | 'connections' | 'origin' | 'keys'>;

const call = (toolId: string, parameters: object): Job => ({
  method: 'POST',
  path: `/api/v1/tools/execute?tool_id=${toolId}`,
  body: JSON.stringify({ parameters }),
  requireSuccess: true,
});

const jobs = {
  'GET /api/v1/meta': { method: 'GET', path: '/api/v1/meta' },
  'free tool': call('formula.unit.convert.v1', { value: 5, from_unit: 'mile', to_unit: 'km' }),
  'paid tool': call('toolbox.distance.haversine.v1', {
    from_latitude: 52.52,
    from_longitude: 13.405,
    to_latitude: 48.8566,
    to_longitude: 2.3522,
  }),
} satisfies Record<string, Job>;

type JobName = keyof typeof jobs;
const jobNames = Object.keys(jobs) as JobName[];

export interface CallRow {
  readonly connections: number;
  readonly what: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU microseconds for one request, by process. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
}

export interface CallResult {
  readonly rows: readonly CallRow[];
  readonly accounts: number;
  readonly paidCalls: number;
  /** Milliseconds from the last answer of a round until every call had its charge and its settled audit row. */
  readonly drainMs: { readonly median: number; readonly most: number };
}

/** Answered calls per second; afterwards the books must hold exactly one charge for each paid call. */
export async function measureCalls(target: CallTarget, log: (line: string) => void): Promise<CallResult> {
  const { origin } = target;
  const keys = await openFundedAccounts({ origin, key: target.adminKey }, ACCOUNTS, target.billing);
  const load = new LoadGenerator();
  const rows: CallRow[] = [];
  const drains: number[] = [];
  const expected = { ...(await readBooks(target.billing)) };
  let paidCalls = 0;
  const run = async (name: JobName, connections: number, amount: number): Promise<LoadResult> => {
    const result = clean(await load.run({ ...jobs[name], origin, keys, connections, amount }));
    if (name === 'GET /api/v1/meta') return result;
    expected.audited += result.good;
    if (name === 'paid tool') {
      expected.charges += result.good;
      paidCalls += result.good;
    }
    drains.push(await drained(target.billing, expected, result.lastAnswerAtMs));
    return result;
  };
  try {
    for (const connections of CONNECTIONS) {
      const rounds = new Map<JobName, Round[]>(jobNames.map((name) => [name, []]));
      const amounts = new Map<JobName, number>();
      for (const name of jobNames) {
        const probe = await run(name, connections, LoadGenerator.probeAmount(connections));
        const [seconds, most] =
          name === 'paid tool' ? [ROUND_SECONDS, MAX_CALLS_PER_ROUND] : [BASELINE_SECONDS, MAX_REQUESTS_PER_ROUND];
        amounts.set(name, LoadGenerator.amountLike(probe, seconds, most));
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const name of jobNames) {
          const before = target.cpu();
          const result = await run(name, connections, amounts.get(name) ?? 0);
          rounds
            .get(name)
            ?.push({ result, cpu: { ...since(before, target.cpu()), 'load generator': result.cpuSeconds } });
          log(`${target.name}, ${connections} connections, ${name}: ${perSecond(result).toFixed(0)}/s`);
        }
      }
      for (const name of jobNames) rows.push(rowOf(connections, name, rounds.get(name) ?? []));
    }
    const most = drains.reduce((a, b) => Math.max(a, b), 0);
    return { rows, accounts: ACCOUNTS, paidCalls, drainMs: { median: medianOf(drains, (ms) => ms), most } };
  } finally {
    await load.stop();
  }
}

interface Round {
  readonly result: LoadResult;
  /** Seconds; settling is part of a call, so the drain is counted in. */
  readonly cpu: Readonly<Record<string, number>>;
}

function rowOf(connections: number, what: string, rounds: readonly Round[]): CallRow {
  const processes = Object.keys(rounds[0]?.cpu ?? {});
  const perRequest = (name: string): number =>
    medianOf(rounds, ({ cpu, result }) => ((cpu[name] ?? 0) / result.good) * 1_000_000);
  return {
    connections,
    what,
    perSecond: medianOf(rounds, ({ result }) => perSecond(result)),
    p50Ms: medianOf(rounds, ({ result }) => result.p50Ms),
    p99Ms: medianOf(rounds, ({ result }) => result.p99Ms),
    cpuMicroseconds: Object.fromEntries(processes.map((name) => [name, perRequest(name)])),
  };
}

const since = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));

/** Every request must have been answered as it should: what was refused or lost cannot be reconciled by counting. */
function clean(result: LoadResult): LoadResult {
  if (Object.keys(result.bad).length === 0) return result;
  throw new Error(`the run was not clean: ${JSON.stringify(result.bad)} ${result.badSample ?? ''}`);
}
