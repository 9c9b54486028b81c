import { ExpectedBooks } from '../accounted-calls/books.js';
import type { CallTarget } from '../accounted-calls/call-target.js';
import { openFundedAccounts } from '../accounted-calls/open-accounts.js';
import { assertReconciled } from '../accounted-calls/reconciled.js';
import type { LoadJob, LoadResult } from '../load/load-job.js';
import { clean, cpuPerRequest, timedRound, turnAbout } from '../load/rounds.js';
import { LoadGenerator } from '../load/run-load.js';
import { medianOf } from '../statistics.js';

/** So many that none of them reaches its limit of 200 calls a minute. */
const ACCOUNTS = 300;
const CONNECTIONS = [1, 8] as const;
const ROUNDS = 5;
const ROUND_SECONDS = 5;
const MAX_CALLS_PER_ROUND = 5_000;

type Job = Omit<LoadJob, 'amount' | 'connections' | 'origin' | 'keys'>;

const parameters = { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 };
const asked = (path: string, body: object): Job => ({
  method: 'POST',
  path: `/api/v1${path}`,
  body: JSON.stringify(body),
  requireSuccess: true,
});

/** All of them run the same tool, for the same price. */
const jobs = {
  'Call of the tool': asked('/tools/execute?tool_id=toolbox.distance.haversine.v1', { parameters }),
  'query, of one provider': asked('/capabilities/query', {
    capability_id: 'geo.distance',
    parameters,
    provider_id: 'toolbox',
  }),
  'query, within a budget': asked('/capabilities/query', {
    capability_id: 'geo.distance',
    parameters,
    max_credits: 1,
  }),
} satisfies Record<string, Job>;

type JobName = keyof typeof jobs;
const jobNames = Object.keys(jobs) as JobName[];

export interface QueryRow {
  readonly connections: number;
  readonly what: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Beyond the Call of the same tool in the same rounds. */
  readonly addedP50Ms: number;
  /** CPU microseconds for one request, by process. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
}

/** Queries of a capability beside Calls of the tool that serves them, turn about; afterwards the books must hold one charge for each. */
export async function measureQueries(target: CallTarget, log: (line: string) => void): Promise<QueryRow[]> {
  const { origin } = target;
  const keys = await openFundedAccounts({ origin, key: target.adminKey }, ACCOUNTS, target.billing);
  const load = new LoadGenerator();
  const books = await ExpectedBooks.open(target.billing);
  const run = async (name: JobName, connections: number, amount: number): Promise<LoadResult> => {
    const result = clean(await load.run({ ...jobs[name], origin, keys, connections, amount }));
    await books.settled({ paid: result.good, free: 0 }, result.lastAnswerAtMs);
    return result;
  };
  const rows: QueryRow[] = [];
  try {
    for (const connections of CONNECTIONS) {
      const amounts = new Map<JobName, number>();
      for (const name of jobNames) {
        const probe = await run(name, connections, LoadGenerator.probeAmount(connections));
        amounts.set(name, LoadGenerator.amountLike(probe, ROUND_SECONDS, MAX_CALLS_PER_ROUND));
      }
      const rounds = await turnAbout(jobNames, ROUNDS, async (name) => {
        const round = await timedRound(target.cpu, () => run(name, connections, amounts.get(name) ?? 0));
        log(`${target.name}, ${connections} connections, ${name}: p50 ${round.result.p50Ms} ms`);
        return round;
      });
      const p50Of = (name: JobName) => medianOf(rounds(name), ({ result }) => result.p50Ms);
      for (const name of jobNames) {
        rows.push({
          connections,
          what: name,
          p50Ms: p50Of(name),
          p99Ms: medianOf(rounds(name), ({ result }) => result.p99Ms),
          addedP50Ms: p50Of(name) - p50Of('Call of the tool'),
          cpuMicroseconds: cpuPerRequest(rounds(name)),
        });
      }
    }
    await assertReconciled(target.books);
    return rows;
  } finally {
    await load.stop();
  }
}
