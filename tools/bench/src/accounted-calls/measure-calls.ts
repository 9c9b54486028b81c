import type { LoadJob, LoadResult } from '../load/load-job.js';
import { clean, cpuPerRequest, timedRound, turnAbout, type Round } from '../load/rounds.js';
import { LoadGenerator, perSecond } from '../load/run-load.js';
import { SteadyLoadGenerator } from '../load/run-steady-load.js';
import type { SteadyResult } from '../load/steady-job.js';
import { medianOf } from '../statistics.js';
import { ExpectedBooks } from './books.js';
import { assertReconciled } from './reconciled.js';
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

/** Calls that arrive at a constant rate, to count the answers that tell what credits remain. */
const STEADY_PER_SECOND = 200;
const STEADY_SECONDS = 30;

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

/** A call of a paid built-in tool. */
export const paidTool: Job = jobs['paid tool'];

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
  /** Answers to paid calls that arrived at a constant rate, and how many of them had `remaining_credits`. */
  readonly steady: { readonly perSecond: number; readonly answers: number; readonly withCredits: number };
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
  const books = await ExpectedBooks.open(target.billing);
  const run = async (name: JobName, connections: number, amount: number): Promise<LoadResult> => {
    const result = clean(await load.run({ ...jobs[name], origin, keys, connections, amount }));
    if (name === 'GET /api/v1/meta') return result;
    const calls = name === 'paid tool' ? { paid: result.good, free: 0 } : { paid: 0, free: result.good };
    drains.push(await books.settled(calls, result.lastAnswerAtMs));
    return result;
  };
  try {
    for (const connections of CONNECTIONS) {
      const amounts = new Map<JobName, number>();
      for (const name of jobNames) {
        const probe = await run(name, connections, LoadGenerator.probeAmount(connections));
        const [seconds, most] =
          name === 'paid tool' ? [ROUND_SECONDS, MAX_CALLS_PER_ROUND] : [BASELINE_SECONDS, MAX_REQUESTS_PER_ROUND];
        amounts.set(name, LoadGenerator.amountLike(probe, seconds, most));
      }
      // Settling is part of a call, so the drain is counted in.
      const rounds = await turnAbout(jobNames, ROUNDS, async (name) => {
        const round = await timedRound(target.cpu, () => run(name, connections, amounts.get(name) ?? 0));
        log(`${target.name}, ${connections} connections, ${name}: ${perSecond(round.result).toFixed(0)}/s`);
        return round;
      });
      for (const name of jobNames) rows.push(rowOf(connections, name, rounds(name)));
    }
    const steady = await steadyCalls(origin, keys);
    drains.push(await books.settled({ paid: steady.good, free: 0 }, steady.lastAnswerAtMs));
    log(`${target.name}, ${STEADY_PER_SECOND} paid calls/s: ${steady.withMember} of ${steady.good} tell the credits`);
    await assertReconciled(target.books);
    const most = drains.reduce((a, b) => Math.max(a, b), 0);
    return {
      rows,
      accounts: ACCOUNTS,
      paidCalls: books.paid,
      steady: { perSecond: STEADY_PER_SECOND, answers: steady.good, withCredits: steady.withMember },
      drainMs: { median: medianOf(drains, (ms) => ms), most },
    };
  } finally {
    await load.stop();
  }
}

async function steadyCalls(origin: string, keys: readonly string[]): Promise<SteadyResult> {
  const load = new SteadyLoadGenerator();
  const { method, path, body } = jobs['paid tool'];
  const job = { origin, keys, method, path, bodies: [body ?? ''], requireSuccess: true } as const;
  try {
    const rate = { perSecond: STEADY_PER_SECOND, seconds: STEADY_SECONDS };
    return clean(await load.run({ ...job, ...rate, countMember: 'remaining_credits' }));
  } finally {
    await load.stop();
  }
}

function rowOf(connections: number, what: string, rounds: readonly Round<LoadResult>[]): CallRow {
  return {
    connections,
    what,
    perSecond: medianOf(rounds, ({ result }) => perSecond(result)),
    p50Ms: medianOf(rounds, ({ result }) => result.p50Ms),
    p99Ms: medianOf(rounds, ({ result }) => result.p99Ms),
    cpuMicroseconds: cpuPerRequest(rounds),
  };
}
