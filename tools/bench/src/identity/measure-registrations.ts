import { clean, cpuPerRequest, timedRound, turnAbout } from '../load/rounds.js';
import { LoadGenerator, perSecond } from '../load/run-load.js';
import type { LoadJob } from '../load/load-job.js';
import { medianOf } from '../statistics.js';
import type { IdentitySite } from './identity-site.js';
import type { IdentitySizes } from './sizes.js';

const CONNECTIONS = [8, 32] as const;
const PROBES_PER_CONNECTION = 10;
/** As many as there are clients, each in a network of its own. */
const ADDRESSES = Array.from({ length: 4_096 }, (_, index) => `10.${index >> 8}.${index & 255}.1`);
const MAX_PER_ROUND = 20_000;
const names = ['GET /api/v1/meta', 'registration'] as const;
type Name = (typeof names)[number];

const jobs: Readonly<Record<Name, Pick<LoadJob, 'method' | 'path' | 'body'>>> = {
  'GET /api/v1/meta': { method: 'GET', path: '/api/v1/meta' },
  registration: {
    method: 'POST',
    path: '/api/v1/agent/anonymous-register',
    body: JSON.stringify({ agent_name: 'bench' }),
  },
};

export interface RegistrationRow {
  readonly connections: number;
  readonly what: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
}

/** Registrations of trials, each answered when its credits are booked, beside an answer of the gateway alone. */
export async function measureRegistrations(
  site: IdentitySite,
  sizes: IdentitySizes,
  log: (line: string) => void,
): Promise<RegistrationRow[]> {
  const load = new LoadGenerator();
  const rows: RegistrationRow[] = [];
  try {
    for (const connections of CONNECTIONS) {
      const run = async (name: Name, amount: number) => {
        const origin = site.gateways[0] ?? '';
        const job = { ...jobs[name], origin, keys: [''], headers: {}, addresses: ADDRESSES, connections, amount };
        return clean(await load.run(job));
      };
      const amounts = new Map<Name, number>();
      for (const name of names) {
        const probe = await run(name, connections * PROBES_PER_CONNECTION);
        amounts.set(name, LoadGenerator.amountLike(probe, sizes.registrationSeconds, MAX_PER_ROUND));
      }
      const rounds = await turnAbout(names, sizes.rounds, async (name) => {
        const round = await timedRound(site.cpu, () => run(name, amounts.get(name) ?? 0));
        log(`${connections} connections, ${name}: ${perSecond(round.result).toFixed(0)}/s`);
        return round;
      });
      for (const name of names) {
        rows.push({
          connections,
          what: name,
          perSecond: medianOf(rounds(name), ({ result }) => perSecond(result)),
          p50Ms: medianOf(rounds(name), ({ result }) => result.p50Ms),
          p99Ms: medianOf(rounds(name), ({ result }) => result.p99Ms),
          cpuMicroseconds: cpuPerRequest(rounds(name)),
        });
      }
    }
    return rows;
  } finally {
    await load.stop();
  }
}
