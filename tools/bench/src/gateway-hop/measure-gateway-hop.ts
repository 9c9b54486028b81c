import { randomBytes } from 'node:crypto';
import { formatApiKey, systemClock } from '@capability-router/kernel';
import { internalHeaders } from '@capability-router/contracts';
import { generateInternalKeys, InternalTokens, type InternalKeys } from '@capability-router/service-kit';
import { Child } from '../child.js';
import type { LoadJob, LoadResult } from '../load/load-job.js';
import { clean } from '../load/rounds.js';
import { LoadGenerator, perSecond } from '../load/run-load.js';
import { cpuSeconds } from '../machine/processes.js';
import { median, medianOf } from '../statistics.js';
import { benchProgram } from '../workspace.js';
import type { HopJob, Listening, UpstreamUrls } from './hop-process.js';

/** So many that none of them reaches 200 calls a minute. */
const API_KEYS = 2_400;
const ROUNDS = 5;
const ROUND_SECONDS = 6;
const CONNECTIONS = [1, 32] as const;
const WARM_UP_CONNECTIONS = 32;
const MAX_REQUESTS_PER_ROUND = 200_000;
const START_TIMEOUT_MS = 20_000;

const body = JSON.stringify({
  parameters: { expression: 'sqrt(a^2 + b^2)', variables: { a: 3, b: 4 }, significant_digits: 14 },
  search_id: 'srch_0198f3f2a7c07b5e8a54d0b1c2d3e4f5',
  session_id: 'bench-session',
  max_response_size: 20_480,
});

export interface HopRow {
  readonly connections: number;
  readonly directPerSecond: number;
  readonly gatewayPerSecond: number;
  readonly ratio: number;
  readonly directP50Ms: number;
  readonly gatewayP50Ms: number;
  readonly addedP50Ms: number;
  readonly directP99Ms: number;
  readonly gatewayP99Ms: number;
  /** CPU microseconds for one request through the gateway, by process. */
  readonly cpuMicroseconds: Readonly<Record<'gateway' | 'upstream' | 'load generator', number>>;
}

/** The same POST to the same upstream, directly and through the gateway, turn about. */
export async function measureGatewayHop(log: (line: string) => void): Promise<readonly HopRow[]> {
  const keys = generateInternalKeys();
  const upstream = new Child('the upstream', benchProgram('gateway-hop/upstream-process.js'));
  const gateway = new Child('the gateway', benchProgram('gateway-hop/gateway-process.js'));
  const load = new LoadGenerator();
  try {
    const upstreamUrls = await started<UpstreamUrls>(upstream, { keys });
    const gatewayUrl = (await started<Listening>(gateway, { keys, upstreamUrls })).url;
    const apiKeys = Array.from({ length: API_KEYS }, () => formatApiKey(randomBytes(14).toString('hex')));
    const rows: HopRow[] = [];
    for (const connections of CONNECTIONS) {
      const job = { method: 'POST', path: '/api/v1/tools/execute', body, connections } as const;
      const direct = async (): Promise<Omit<LoadJob, 'amount'>> => ({
        ...job,
        origin: upstreamUrls.execution,
        keys: [''],
        headers: await internalTokens(keys),
      });
      const through = { ...job, origin: gatewayUrl, keys: apiKeys };
      // Every key is known to the gateway before anything is measured; it asks again about each every 30 s.
      await load.run({ ...through, connections: WARM_UP_CONNECTIONS, amount: API_KEYS });
      const probe = { amount: LoadGenerator.probeAmount(connections) };
      const directAmount = amountLike(await load.run({ ...(await direct()), ...probe }));
      const gatewayAmount = amountLike(await load.run({ ...through, ...probe }));
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = [cpuSeconds(gateway.pid), cpuSeconds(upstream.pid)] as const;
        const forwarded = clean(await load.run({ ...through, amount: gatewayAmount }));
        const cpu = {
          gateway: cpuSeconds(gateway.pid) - before[0],
          upstream: cpuSeconds(upstream.pid) - before[1],
          'load generator': forwarded.cpuSeconds,
        };
        const baseline = clean(await load.run({ ...(await direct()), amount: directAmount }));
        rounds.push({ direct: baseline, forwarded, cpu });
        log(
          `gateway hop, ${connections} connections: direct ${perSecond(baseline).toFixed(0)}/s, gateway ${perSecond(forwarded).toFixed(0)}/s`,
        );
      }
      rows.push(rowOf(connections, rounds));
    }
    return rows;
  } finally {
    await Promise.all([load.stop(), gateway.stop(), upstream.stop()]);
  }
}

const amountLike = (probe: LoadResult): number =>
  LoadGenerator.amountLike(probe, ROUND_SECONDS, MAX_REQUESTS_PER_ROUND);

interface Round {
  readonly direct: LoadResult;
  readonly forwarded: LoadResult;
  readonly cpu: HopRow['cpuMicroseconds'];
}

function rowOf(connections: number, rounds: readonly Round[]): HopRow {
  const perRequest = (name: keyof HopRow['cpuMicroseconds']): number =>
    medianOf(rounds, ({ cpu, forwarded }) => (cpu[name] / forwarded.good) * 1_000_000);
  return {
    connections,
    directPerSecond: medianOf(rounds, ({ direct }) => perSecond(direct)),
    gatewayPerSecond: medianOf(rounds, ({ forwarded }) => perSecond(forwarded)),
    ratio: median(rounds.map(({ direct, forwarded }) => perSecond(forwarded) / perSecond(direct))),
    directP50Ms: medianOf(rounds, ({ direct }) => direct.p50Ms),
    gatewayP50Ms: medianOf(rounds, ({ forwarded }) => forwarded.p50Ms),
    addedP50Ms: median(rounds.map(({ direct, forwarded }) => forwarded.p50Ms - direct.p50Ms)),
    directP99Ms: medianOf(rounds, ({ direct }) => direct.p99Ms),
    gatewayP99Ms: medianOf(rounds, ({ forwarded }) => forwarded.p99Ms),
    cpuMicroseconds: {
      gateway: perRequest('gateway'),
      upstream: perRequest('upstream'),
      'load generator': perRequest('load generator'),
    },
  };
}

function started<T>(child: Child, job: HopJob): Promise<T> {
  child.send(job);
  return child.receive<T>(START_TIMEOUT_MS);
}

/** The headers that the gateway would send along, so that the direct call does the same work in the service. Good for 55 s. */
async function internalTokens(keys: InternalKeys): Promise<Record<string, string>> {
  const tokens = await InternalTokens.create({
    service: 'gateway',
    signingKey: keys.signingKeys.gateway,
    jwks: keys.jwks,
    clock: systemClock,
  });
  const account = {
    accountId: `acc_${'0'.repeat(32)}`,
    accountKind: 'formal',
    credentialType: 'api_key',
    scopes: ['call', 'read'],
  } as const;
  return {
    [internalHeaders.serviceToken]: `Bearer ${await tokens.serviceToken('execution')}`,
    [internalHeaders.accountAssertion]: await tokens.signAssertion(account),
  };
}
