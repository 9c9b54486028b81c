import { decideRoute, type Candidate, type RoutingRequest } from '@capability-router/capability-routing/routing';
import { creditsFromMicro } from '@capability-router/kernel';
import { medianOf, percentile } from '../statistics.js';

/** Candidates of one capability; as many as the design speaks of. */
const CANDIDATES = 50;
const WARM_UP_DECISIONS = 2_000;
const DECISIONS = 20_000;
const ROUNDS = 5;

/** Microseconds. */
export interface DecisionTimes {
  readonly p50Us: number;
  /** Time of the processor, on average, collecting garbage included: what others run on the machine is not in it. */
  readonly cpuUs: number;
}

export interface DecisionsResult {
  readonly candidates: number;
  readonly decisions: number;
  /** Medians of the rounds. */
  readonly decided: DecisionTimes;
  /** The same candidates, only sorted by their price. */
  readonly sorted: DecisionTimes;
  /** Candidates that a decision left out, on average. */
  readonly leftOut: number;
}

/** Every kind of evidence, and some to leave out. */
const candidates: readonly Candidate[] = Array.from({ length: CANDIDATES }, (_, index) => ({
  toolId: `provider${index}.resource.action.v1`,
  providerId: `provider${index}`,
  hasBoundContract: true,
  isAllowedInRegion: index % 17 !== 3,
  missingParameters: [],
  verification: index % 3 === 0 ? 'verified' : index % 3 === 1 ? 'unverified' : 'stale',
  successes: (index * 37) % 400,
  failures: (index * 13) % 40,
  p95Ms: index % 7 === 0 ? undefined : 20 + ((index * 97) % 3_000),
  admittedShare: index % 11 === 5 ? 0.5 : 1,
  upperPrice: creditsFromMicro(BigInt((index * 7_919) % 3_000_000)),
  dataAgeMs: index % 2 === 0 ? undefined : index * 86_400_000,
}));
const bounds = { maxCredits: creditsFromMicro(2_500_000n), availableCredits: creditsFromMicro(2_000_000n) };

export function measureDecisions(log: (line: string) => void): DecisionsResult {
  const decided: DecisionTimes[] = [];
  const sorted: DecisionTimes[] = [];
  let leftOut = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    decided.push(
      timesOf((seed) => {
        const request: RoutingRequest = { seed, ...bounds };
        leftOut += decideRoute(candidates, request).excluded.length;
      }),
    );
    sorted.push(timesOf(sortByPrice));
    log(`round ${round + 1}: a decision took ${decided.at(-1)?.p50Us.toFixed(1)} µs at p50`);
  }
  return {
    candidates: CANDIDATES,
    decisions: DECISIONS * ROUNDS,
    decided: medians(decided),
    sorted: medians(sorted),
    leftOut: leftOut / ((DECISIONS + WARM_UP_DECISIONS) * ROUNDS),
  };
}

function sortByPrice(): void {
  [...candidates].sort((a, b) => Number((a.upperPrice ?? 0n) - (b.upperPrice ?? 0n)));
}

function timesOf(work: (seed: string) => void): DecisionTimes {
  const times: number[] = [];
  let before = process.cpuUsage();
  for (let index = 0; index < WARM_UP_DECISIONS + DECISIONS; index += 1) {
    const seed = `exec_${index}`;
    if (index === WARM_UP_DECISIONS) before = process.cpuUsage();
    const startedMs = performance.now();
    work(seed);
    if (index >= WARM_UP_DECISIONS) times.push((performance.now() - startedMs) * 1_000);
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  return { p50Us: percentile(times, 0.5), cpuUs: (user + system) / DECISIONS };
}

const medians = (rounds: readonly DecisionTimes[]): DecisionTimes => ({
  p50Us: medianOf(rounds, ({ p50Us }) => p50Us),
  cpuUs: medianOf(rounds, ({ cpuUs }) => cpuUs),
});
