import { saysSuccess } from '../load/says-success.js';
import { median } from '../statistics.js';
import { parameters, toolIdOf, type PublishedTool } from './publish-tools.js';

const TIMEOUT_MS = 30_000;
const freeCall = {
  tool_id: 'formula.unit.convert.v1',
  parameters: { value: 5, from_unit: 'mile', to_unit: 'km' },
};

export interface Probe {
  readonly ok: boolean;
  readonly ms: number;
}

/** One of each, sent one after the other. */
export interface ProbeRound {
  readonly health: Probe;
  /** Calls a built-in tool. */
  readonly freeCall: Probe;
  /** Calls an HTTP provider that is not slow. */
  readonly paidCall: Probe;
}

export interface ProbeSummary {
  readonly sent: number;
  readonly good: number;
  readonly medianMs: number;
  readonly mostMs: number;
}

export type ProbeSummaries = Readonly<Record<keyof ProbeRound, ProbeSummary>>;

/** The calls of others meanwhile. `keys` are taken in turn, so that no limit of calls a minute is reached. */
export class Prober {
  private next = 0;

  constructor(
    private readonly origin: string,
    private readonly keys: readonly string[],
    private readonly fastTool: PublishedTool,
  ) {}

  async round(): Promise<ProbeRound> {
    return {
      health: await probe(() => fetch(`${this.origin}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) })),
      freeCall: await probe(() => this.call(freeCall), saysSuccess),
      paidCall: await probe(() => this.call({ tool_id: toolIdOf(this.fastTool), parameters }), saysSuccess),
    };
  }

  private call(body: object): Promise<Response> {
    const key = this.keys[this.next % this.keys.length] ?? '';
    this.next += 1;
    return fetch(`${this.origin}/api/v1/tools/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
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

export function summaries(rounds: readonly ProbeRound[]): ProbeSummaries {
  const of = (name: keyof ProbeRound): ProbeSummary => {
    const probes = rounds.map((round) => round[name]);
    return {
      sent: probes.length,
      good: probes.filter(({ ok }) => ok).length,
      medianMs: median(probes.map(({ ms }) => ms)),
      mostMs: Math.max(...probes.map(({ ms }) => ms)),
    };
  };
  return { health: of('health'), freeCall: of('freeCall'), paidCall: of('paidCall') };
}

/** All answered as they should be. */
export const allGood = (of: ProbeSummaries): boolean => Object.values(of).every(({ sent, good }) => good === sent);

/** The slowest of all. */
export const slowestMs = (of: ProbeSummaries): number => Math.max(...Object.values(of).map(({ mostMs }) => mostMs));
