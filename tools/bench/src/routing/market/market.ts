import { normal, randomOf, type Random } from './random.js';

export const PROVIDERS = 6;
/** Attempts that the deadline of a request leaves time for. */
export const ATTEMPTS = 2;
/** Requests between two changes of the market. */
const DRIFT_EVERY_REQUESTS = 50;

/** In credits: what a second of waiting and a request that nobody serves cost the caller. */
const SECOND_COSTS = 0.1;
const UNSERVED_COSTS = 5;

const DRIFT = 0.08;
const OUTAGE_CHANCE = 0.02;
const OUTAGE_FAILURES = 0.5;
const bounds = { credits: [0.1, 4], ms: [50, 5_000] } as const;

export interface Provider {
  readonly toolId: string;
  /** Credits of a call that serves. */
  readonly credits: number;
  /** Milliseconds, on average; a call takes 30 % less or more. */
  readonly ms: number;
  /** Share of calls that fail, outside of outages. */
  readonly failures: number;
  /** Changes of the market until its outage ends; 0 for none. */
  readonly outage: number;
}

export const failuresOf = ({ failures, outage }: Provider): number => (outage > 0 ? OUTAGE_FAILURES : failures);

/** A market in which every request meets the same providers and the same luck, whoever chooses. */
export class Market {
  providers: readonly Provider[];
  private readonly drifting: Random;
  private requests = 0;

  constructor(private readonly seed: number) {
    const random = randomOf(seed * 7_919);
    this.drifting = randomOf(seed * 7_919 + 1);
    this.providers = Array.from({ length: PROVIDERS }, (_, index) => ({
      toolId: `provider${index}.resource.action.v1`,
      credits: 0.2 + random() * 1.5,
      ms: 100 + random() * 1_200,
      failures: 0.005 + random() * 0.08,
      outage: 0,
    }));
  }

  /** Begins the next request. Gives a number for each provider, 0 to below 1: how its call would go. */
  next(): number[] {
    this.requests += 1;
    if (this.requests % DRIFT_EVERY_REQUESTS === 0) this.providers = this.providers.map((one) => this.drift(one));
    const luck = randomOf(this.seed * 100_003 + this.requests);
    return this.providers.map(() => luck());
  }

  private drift(provider: Provider): Provider {
    const moved = (value: number, [least, most]: readonly [number, number]): number =>
      Math.min(most, Math.max(least, value * Math.exp(DRIFT * normal(this.drifting))));
    const begins = this.drifting() < OUTAGE_CHANCE;
    const lasts = 2 + Math.floor(this.drifting() * 4);
    return {
      ...provider,
      credits: moved(provider.credits, bounds.credits),
      ms: moved(provider.ms, bounds.ms),
      outage: provider.outage > 0 ? provider.outage - 1 : begins ? lasts : 0,
    };
  }
}

/** One attempt, as luck has it. */
export const attemptOf = (provider: Provider, luck: number): { readonly served: boolean; readonly ms: number } => ({
  served: luck >= failuresOf(provider),
  ms: provider.ms * (0.7 + 0.6 * luck),
});

/** Credits; `credits`: of the attempt that served, undefined where none did. */
export const costOf = (ms: number, credits: number | undefined): number =>
  (ms / 1_000) * SECOND_COSTS + (credits ?? UNSERVED_COSTS);

/** The average cost of trying these providers in this order, as nobody but the oracle can know. */
export function expectedCost(order: readonly Provider[]): number {
  let reached = 1;
  let cost = 0;
  for (const provider of order) {
    const failures = failuresOf(provider);
    cost += reached * (costOf(provider.ms, 0) + (1 - failures) * provider.credits);
    reached *= failures;
  }
  return cost + reached * UNSERVED_COSTS;
}
