import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { CallTarget } from '../accounted-calls/call-target.js';
import { openFundedAccounts } from '../accounted-calls/open-accounts.js';
import { clean, cpuPerRequest, timedRound, turnAbout, type Round } from '../load/rounds.js';
import { SteadyLoadGenerator } from '../load/run-steady-load.js';
import type { SteadyJob, SteadyResult } from '../load/steady-job.js';
import { medianOf } from '../statistics.js';
import { needs } from './needs.js';

/** So many that none of them reaches its limit of 120 searches a minute. */
const ACCOUNTS = 300;
const PER_SECOND = 200;
const WARM_UP_SECONDS = 5;
const ROUND_SECONDS = 20;
const ROUNDS = 3;
const AUDIT_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

type Job = Omit<SteadyJob, 'origin' | 'keys' | 'perSecond' | 'seconds'>;

const search = (body: object): Job => ({
  method: 'POST',
  path: '/api/v1/search',
  bodies: needs.map((query) => JSON.stringify({ query, ...body })),
});

const jobs = {
  'GET /api/v1/meta': { method: 'GET', path: '/api/v1/meta', bodies: [] },
  'search, 20 full results': search({}),
  'search, routing cards': search({ view: 'routing' }),
} satisfies Record<string, Job>;

type JobName = keyof typeof jobs;
const jobNames = Object.keys(jobs) as JobName[];

export interface SearchHttpRow {
  readonly what: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  readonly meanBytes: number;
  /** CPU microseconds for one request, by process. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
}

export interface SearchHttpResult {
  readonly perSecond: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  readonly accounts: number;
  readonly searches: number;
  readonly rows: readonly SearchHttpRow[];
}

/** Accounts with a key each, for `measureSearchHttp`. */
export function openSearchers(target: CallTarget): Promise<string[]> {
  const { origin } = target;
  return openFundedAccounts({ origin, key: target.adminKey }, ACCOUNTS, target.billing);
}

/** Searches at a constant rate; afterwards the audit must hold exactly one usage event for each. */
export async function measureSearchHttp(
  target: CallTarget,
  keys: readonly string[],
  log: (line: string) => void,
): Promise<SearchHttpResult> {
  const { origin } = target;
  const load = new SteadyLoadGenerator();
  const auditedBefore = await auditedSearches(target.billing);
  let searches = 0;
  const run = async (name: JobName, seconds: number): Promise<SteadyResult> => {
    const job: SteadyJob = { ...jobs[name], origin, keys, perSecond: PER_SECOND, seconds };
    const result = clean(await load.run(job));
    if (jobs[name].method === 'POST') searches += result.sent;
    return result;
  };
  try {
    for (const name of jobNames) await run(name, WARM_UP_SECONDS);
    const rounds = await turnAbout(jobNames, ROUNDS, async (name) => {
      const round = await timedRound(target.cpu, () => run(name, ROUND_SECONDS));
      const { p50Ms, p99Ms } = round.result;
      log(`${target.name}, ${name}: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`);
      return round;
    });
    await untilAudited(target.billing, auditedBefore + searches);
    const rows = jobNames.map((name) => rowOf(name, rounds(name)));
    return {
      perSecond: PER_SECOND,
      rounds: ROUNDS,
      roundSeconds: ROUND_SECONDS,
      accounts: keys.length,
      searches,
      rows,
    };
  } finally {
    await load.stop();
  }
}

function rowOf(what: string, rounds: readonly Round<SteadyResult>[]): SearchHttpRow {
  return {
    what,
    p50Ms: medianOf(rounds, ({ result }) => result.p50Ms),
    p99Ms: medianOf(rounds, ({ result }) => result.p99Ms),
    mostMs: Math.max(...rounds.map(({ result }) => result.mostMs)),
    meanBytes: medianOf(rounds, ({ result }) => result.meanBytes),
    cpuMicroseconds: cpuPerRequest(rounds),
  };
}

async function auditedSearches(billing: pg.Pool): Promise<number> {
  const { rows } = await billing.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM usage_events WHERE event_type = 'search' AND recorded`,
  );
  return rows[0]?.count ?? 0;
}

async function untilAudited(billing: pg.Pool, expected: number): Promise<void> {
  const deadlineMs = performance.now() + AUDIT_TIMEOUT_MS;
  for (;;) {
    const found = await auditedSearches(billing);
    if (found === expected) return;
    if (found > expected || performance.now() > deadlineMs) {
      throw new Error(`the audit holds ${found} searches, not ${expected}`);
    }
    await sleep(POLL_MS);
  }
}
