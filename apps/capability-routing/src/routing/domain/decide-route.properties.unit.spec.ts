import { describe, expect, it } from '@jest/globals';
import { creditsFromMicro, type Credits } from '@capability-router/kernel';
import fc from 'fast-check';
import { sampleCandidate } from '../test-support/sample-candidate.js';
import type { VerificationStatus } from '@capability-router/contracts';
import type { Candidate } from './candidate.js';
import { decideRoute } from './decide-route.js';
import type { RoutingDecision } from './routing-decision.js';
import { defaultRoutingPolicy, type RoutingPolicy } from './routing-policy.js';
import type { RoutingRequest } from './routing-request.js';
import { successRate } from './score.js';

/** TEST_SEED plays the same values again; a failure prints it. */
const seed = process.env['TEST_SEED'];
const runs = { numRuns: 1_000, ...(seed === undefined ? {} : { seed: Number(seed) }) };

const micro = (value: number): Credits => creditsFromMicro(BigInt(value));
const anyPrice = fc.oneof(fc.nat({ max: 5_000_000 }), fc.constantFrom(0, 1, 100_000)).map(micro);
const anyVerification = fc.constantFrom<VerificationStatus[]>(
  'unverified',
  'verifying',
  'verified',
  'stale',
  'failed',
  'restricted',
);
const anyCandidate = fc.record<Omit<Candidate, 'toolId'>>({
  providerId: fc.constantFrom('a', 'b', 'c'),
  hasBoundContract: fc.boolean(),
  isAllowedInRegion: mostly(true, false),
  missingParameters: mostly([], ['unit']),
  verification: anyVerification,
  successes: fc.nat({ max: 1_000 }),
  failures: fc.nat({ max: 100 }),
  p95Ms: fc.option(fc.nat({ max: 100_000 }), { nil: undefined }),
  admittedShare: fc.constantFrom(0, 0.1, 0.5, 1, 1, 1),
  upperPrice: fc.option(anyPrice, { nil: undefined }),
  dataAgeMs: fc.option(fc.nat({ max: 10_000_000_000 }), { nil: undefined }),
});
const anyCandidates = named(anyCandidate);
/** Nothing but money and the seed keeps them out. */
const soundCandidates = named(
  fc.record({
    providerId: fc.constantFrom('a', 'b', 'c'),
    verification: fc.constantFrom<VerificationStatus[]>('unverified', 'verified', 'stale'),
    successes: fc.nat({ max: 200 }),
    p95Ms: fc.option(fc.nat({ max: 100_000 }), { nil: undefined }),
    upperPrice: anyPrice,
  }),
);
/** Many have little evidence, and prices are near each other. */
const newcomers = named(
  fc.record({
    successes: fc.nat({ max: 100 }),
    failures: fc.nat({ max: 10 }),
    upperPrice: fc.nat({ max: 400_000 }).map(micro),
  }),
);
const anyRequest = fc.record(
  {
    seed: fc.string(),
    maxCredits: anyPrice,
    availableCredits: anyPrice,
    providerIds: fc.subarray(['a', 'b', 'c']),
    prefer: fc.constantFrom<('price' | 'speed' | 'quality')[]>('price', 'speed', 'quality'),
  },
  { requiredKeys: ['seed'] },
) as fc.Arbitrary<RoutingRequest>;

function mostly<T>(usual: T, rare: T): fc.Arbitrary<T> {
  return fc.constantFrom(usual, usual, usual, rare);
}

/** Up to twelve, each with an id of its own, so that samples are told apart. */
function named(facts: fc.Arbitrary<Partial<Candidate>>): fc.Arbitrary<Candidate[]> {
  return fc
    .array(facts, { maxLength: 12 })
    .map((list) => list.map((over, index) => sampleCandidate({ toolId: `t${index}.a.b.v1`, ...over })));
}

const withoutExploration: RoutingPolicy = {
  ...defaultRoutingPolicy,
  exploration: { ...defaultRoutingPolicy.exploration, share: 0 },
};
const order = ({ candidates }: RoutingDecision): string[] => candidates.map(({ toolId }) => toolId);

describe('a decision, whatever the candidates and the request are', () => {
  it('accounts for every candidate once', () => {
    fc.assert(
      fc.property(anyCandidates, anyRequest, (candidates, request) => {
        const { candidates: ranked, excluded, notAsked } = decideRoute(candidates, request);
        const told = [...ranked.map(({ toolId }) => toolId), ...excluded.map(({ toolId }) => toolId), ...notAsked];
        expect(told.sort()).toEqual(candidates.map(({ toolId }) => toolId).sort());
      }),
      runs,
    );
  });

  it('sends nothing to a tool above the budget, above the credits, or of another provider', () => {
    fc.assert(
      fc.property(anyCandidates, anyRequest, (candidates, request) => {
        for (const { upperPrice, providerId } of decideRoute(candidates, request).candidates) {
          expect(upperPrice <= (request.maxCredits ?? upperPrice)).toBe(true);
          expect(upperPrice <= (request.availableCredits ?? upperPrice)).toBe(true);
          expect(request.providerIds?.includes(providerId) ?? true).toBe(true);
        }
      }),
      runs,
    );
  });

  it('is the same again, and in any order of the candidates', () => {
    const shuffled = anyCandidates.chain((candidates) =>
      fc.tuple(
        fc.constant(candidates),
        fc.shuffledSubarray(candidates, { minLength: candidates.length, maxLength: candidates.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, anyRequest, ([candidates, others], request) => {
        expect(decideRoute(others, request)).toEqual(decideRoute(candidates, request));
      }),
      runs,
    );
  });

  it('moves nobody where another one goes away', () => {
    fc.assert(
      fc.property(anyCandidates, anyRequest, fc.nat({ max: 11 }), (candidates, request, gone) => {
        const all = order(decideRoute(candidates, request, withoutExploration));
        const fewer = candidates.filter((_, index) => index !== gone);
        const left = order(decideRoute(fewer, request, withoutExploration));
        expect(left).toEqual(all.filter((toolId) => toolId !== candidates[gone]?.toolId));
      }),
      runs,
    );
  });

  it.each<[string, (candidate: Candidate, by: number) => Candidate]>([
    ['cheaper', (one, by) => ({ ...one, upperPrice: micro(Math.max(0, Number(one.upperPrice) - by)) })],
    ['more reliable', (one, by) => ({ ...one, successes: one.successes + by })],
    ['faster', (one, by) => ({ ...one, p95Ms: one.p95Ms === undefined ? undefined : Math.max(0, one.p95Ms - by) })],
  ])('never puts a candidate behind for being %s', (_name, better) => {
    fc.assert(
      fc.property(
        soundCandidates,
        anyRequest,
        fc.nat({ max: 11 }),
        fc.nat({ max: 100_000 }),
        (all, request, at, by) => {
          const changed = all[at];
          fc.pre(changed !== undefined);
          const placeIn = (candidates: readonly Candidate[]): number => {
            const place = order(decideRoute(candidates, request, withoutExploration)).indexOf(changed.toolId);
            return place === -1 ? Number.POSITIVE_INFINITY : place;
          };
          const then = placeIn(all.map((one) => (one === changed ? better(one, by) : one)));
          expect(then).toBeLessThanOrEqual(placeIn(all));
        },
      ),
      runs,
    );
  });
});

describe('exploration', () => {
  it('puts first only one with little evidence and a price near the best, and leaves the others in their order', () => {
    const often = { ...defaultRoutingPolicy, exploration: { ...defaultRoutingPolicy.exploration, share: 0.9 } };
    let explored = 0;
    fc.assert(
      fc.property(newcomers, fc.record({ seed: fc.string() }), (candidates, request) => {
        const plain = decideRoute(candidates, request, withoutExploration);
        const { candidates: ranked } = decideRoute(candidates, request, often);
        const [first, ...others] = ranked;
        if (first?.isExploration !== true) {
          expect(ranked).toEqual(plain.candidates);
          return;
        }
        explored += 1;
        expect(first.calls).toBeLessThan(50);
        const [best] = plain.candidates;
        expect(Number(first.upperPrice) + 100_000).toBeLessThanOrEqual(2 * (Number(best?.upperPrice) + 100_000));
        expect(others).toEqual(plain.candidates.filter(({ toolId }) => toolId !== first.toolId));
      }),
      runs,
    );
    expect(explored).toBeGreaterThan(100);
  });

  it('takes its share of the requests, and gives each newcomer the same', () => {
    const newcomer = { successes: 0, failures: 0, p95Ms: undefined };
    const candidates = [
      sampleCandidate(),
      ...['x', 'y'].map((id) => sampleCandidate({ ...newcomer, toolId: `${id}.a.b.v1` })),
    ];
    const REQUESTS = 20_000;
    const first = new Map<string, number>();
    for (let index = 0; index < REQUESTS; index += 1) {
      const { chosen = '' } = decideRoute(candidates, { seed: `exec_${index}` });
      first.set(chosen, (first.get(chosen) ?? 0) + 1);
    }
    // Each newcomer is drawn in 2.5 % of the requests; the standard deviation of the count is 22.
    for (const id of ['x', 'y']) {
      expect(first.get(`${id}.a.b.v1`)).toBeGreaterThan(0.025 * REQUESTS - 110);
      expect(first.get(`${id}.a.b.v1`)).toBeLessThan(0.025 * REQUESTS + 110);
    }
  });
});

describe('a candidate that is taken back', () => {
  it('is reached by its share of the requests', () => {
    const REQUESTS = 20_000;
    let reached = 0;
    for (let index = 0; index < REQUESTS; index += 1) {
      const { chosen } = decideRoute([sampleCandidate({ admittedShare: 0.1 })], { seed: `exec_${index}` });
      if (chosen !== undefined) reached += 1;
    }
    expect(Math.abs(reached / REQUESTS - 0.1)).toBeLessThan(0.011);
  });
});

describe('the success rate that counts', () => {
  it('lies between the prior and what was seen, and nearer to that the more was seen', () => {
    const { rate: prior } = defaultRoutingPolicy.priorSuccess;
    fc.assert(
      fc.property(fc.nat({ max: 500 }), fc.nat({ max: 500 }), (successes, failures) => {
        fc.pre(successes + failures > 0);
        const seen = successes / (successes + failures);
        const counts = (times: number): number =>
          successRate(
            sampleCandidate({ successes: successes * times, failures: failures * times }),
            defaultRoutingPolicy,
          );
        expect(counts(1)).toBeGreaterThanOrEqual(Math.min(prior, seen) - 1e-12);
        expect(counts(1)).toBeLessThanOrEqual(Math.max(prior, seen) + 1e-12);
        expect(Math.abs(counts(2) - seen)).toBeLessThanOrEqual(Math.abs(counts(1) - seen) + 1e-12);
      }),
      runs,
    );
  });
});
