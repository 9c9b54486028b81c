import { randomBytes } from 'node:crypto';
import { formatApiKey } from '@capability-router/kernel';
import { generateInternalKeys } from '@capability-router/service-kit';
import { Child } from '../child.js';
import type { HopJob, Listening, UpstreamUrls } from '../gateway-hop/hop-process.js';
import { clean } from '../load/rounds.js';
import { LoadGenerator, perSecond } from '../load/run-load.js';
import { cpuSeconds } from '../machine/processes.js';
import { medianOf } from '../statistics.js';
import { benchProgram } from '../workspace.js';

/** So many that none of them reaches 200 calls a minute. */
const API_KEYS = 2_400;
const ROUNDS = 7;
const CONNECTIONS = 32;
const REQUESTS_PER_ROUND = 20_000;
const START_TIMEOUT_MS = 20_000;

const body = JSON.stringify({ parameters: { a: 3, b: 4 }, search_id: 'srch_0198f3f2a7c07b5e8a54d0b1c2d3e4f5' });

export interface RequestLogRow {
  readonly gateway: 'without' | 'with';
  readonly perSecond: number;
  /** CPU microseconds of the gateway for one request. */
  readonly cpuMicroseconds: number;
  /** Beyond the gateway without the log, in the same round. */
  readonly addedMicroseconds: number;
}

/** The same POST through two gateways, of which one writes a line for each, turn about. */
export async function measureRequestLog(log: (line: string) => void): Promise<readonly RequestLogRow[]> {
  const keys = generateInternalKeys();
  const upstream = new Child('the upstream', benchProgram('gateway-hop/upstream-process.js'));
  const gateways = {
    without: new Child('the gateway without the log', benchProgram('gateway-hop/gateway-process.js')),
    with: new Child('the gateway with the log', benchProgram('gateway-hop/gateway-process.js')),
  };
  const load = new LoadGenerator();
  try {
    const upstreamUrls = await started<UpstreamUrls>(upstream, { keys });
    const urls = {
      without: (await started<Listening>(gateways.without, { keys, upstreamUrls })).url,
      with: (await started<Listening>(gateways.with, { keys, upstreamUrls, logsRequests: true })).url,
    };
    const rounds: Record<keyof typeof gateways, Round>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const measure = async (name: keyof typeof gateways): Promise<Round> => {
        // New keys, or a window of a minute would end; each is known to the gateway before it is measured.
        const apiKeys = Array.from({ length: API_KEYS }, () => formatApiKey(randomBytes(14).toString('hex')));
        const job = { method: 'POST', path: '/api/v1/tools/execute', body, origin: urls[name], keys: apiKeys } as const;
        await load.run({ ...job, connections: CONNECTIONS, amount: API_KEYS });
        const before = cpuSeconds(gateways[name].pid);
        const result = clean(await load.run({ ...job, connections: CONNECTIONS, amount: REQUESTS_PER_ROUND }));
        const cpuMicroseconds = ((cpuSeconds(gateways[name].pid) - before) / result.good) * 1_000_000;
        log(`request log, ${name}: ${perSecond(result).toFixed(0)}/s, ${cpuMicroseconds.toFixed(0)} µs`);
        return { perSecond: perSecond(result), cpuMicroseconds };
      };
      const measured = { without: await measure('without'), with: await measure('with') };
      // The first round warms up.
      if (round > 0) rounds.push(measured);
    }
    return (['without', 'with'] as const).map((gateway) => ({
      gateway,
      perSecond: medianOf(rounds, (round) => round[gateway].perSecond),
      cpuMicroseconds: medianOf(rounds, (round) => round[gateway].cpuMicroseconds),
      addedMicroseconds: medianOf(rounds, (round) => round[gateway].cpuMicroseconds - round.without.cpuMicroseconds),
    }));
  } finally {
    await Promise.all([load.stop(), gateways.without.stop(), gateways.with.stop(), upstream.stop()]);
  }
}

type Round = Pick<RequestLogRow, 'perSecond' | 'cpuMicroseconds'>;

function started<T>(child: Child, job: HopJob): Promise<T> {
  child.send(job);
  return child.receive<T>(START_TIMEOUT_MS);
}
