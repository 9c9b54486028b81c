import { describe, expect, it } from '@jest/globals';
import { parseCredits, ZERO_CREDITS } from '@capability-router/kernel';
import { sampleCandidate } from '../test-support/sample-candidate.js';
import type { Candidate, ExclusionReason } from './candidate.js';
import { decideRoute, MAX_CANDIDATES } from './decide-route.js';
import { defaultRoutingPolicy, verifiedOnly } from './routing-policy.js';
import type { RoutingRequest } from './routing-request.js';

const half = parseCredits('0.5');
/** Its draw is 0.239: nothing is explored. */
const request = (over: Partial<RoutingRequest> = {}): RoutingRequest => ({ seed: 'exec_worked_example', ...over });
const decide = (over: Partial<Candidate>, asked: Partial<RoutingRequest> = {}) =>
  decideRoute([sampleCandidate(over)], request(asked));

describe('what leaves a candidate out', () => {
  it.each<[ExclusionReason, Partial<Candidate>, Partial<RoutingRequest>, string]>([
    ['contract_changed', { hasBoundContract: false }, {}, 'binding was checked'],
    ['contract_changed', { hasBoundContract: false, bindingFault: 'It is retired.' }, {}, 'It is retired.'],
    ['delegation', {}, { delegation: { toolIds: ['other.tool.v1'] } }, 'delegation token'],
    ['delegation', {}, { delegation: { toolIds: ['geokit.distance.compute.v1'], providerIds: ['other'] } }, 'token'],
    ['region', { isAllowedInRegion: false }, {}, 'region'],
    ['missing_parameter', { missingParameters: ['unit', 'from'] }, {}, 'unit, from'],
    ['unverified', { verification: 'failed' }, {}, '"failed"'],
    ['quality_floor', { successes: 3, failures: 17 }, {}, '3 of 20 calls succeeded, which counts as 40 %'],
    ['breaker_open', { admittedShare: 0 }, {}, '0 % of the requests'],
    ['breaker_open', { successes: 3, failures: 97, admittedShare: 0, isTakenBack: true }, {}, '0 % of the requests'],
    ['price_unproven', { upperPrice: undefined }, {}, 'not known'],
    ['over_budget', {}, { maxCredits: parseCredits('0.499999') }, 'up to 0.5 credits, and the budget is 0.499999'],
    ['insufficient_credits', {}, { availableCredits: ZERO_CREDITS }, 'the account can spend 0'],
  ])('%s, with the figures in words: %j %j', (reason, over, asked, words) => {
    const { chosen, candidates, excluded } = decide(over, asked);
    expect({ chosen, candidates }).toEqual({ chosen: undefined, candidates: [] });
    expect(excluded).toEqual([{ toolId: 'geokit.distance.compute.v1', reason, explanation: expect.any(String) }]);
    expect(excluded[0]?.explanation).toContain(words);
  });

  it.each<[string, Partial<Candidate>, Partial<RoutingRequest>]>([
    ['a price that is just the budget and all of the credits', {}, { maxCredits: half, availableCredits: half }],
    ['credits that are not known', {}, {}],
    ['a low rate while it is taken back', { successes: 3, failures: 97, isTakenBack: true }, {}],
    ['no calls at all', { successes: 0, failures: 0, p95Ms: undefined, dataAgeMs: undefined }, {}],
    ['what a delegation names', {}, { delegation: { providerIds: ['geokit'] } }],
    ['a free tool without credits', { upperPrice: ZERO_CREDITS }, { availableCredits: ZERO_CREDITS }],
  ])('is not %s', (_name, over, asked) => {
    expect(decide(over, asked)).toMatchObject({ chosen: 'geokit.distance.compute.v1', excluded: [] });
  });

  it('is money only where nothing else is in the way', () => {
    const poor = { maxCredits: ZERO_CREDITS, availableCredits: ZERO_CREDITS };
    expect(decide({ isAllowedInRegion: false }, poor).excluded).toMatchObject([{ reason: 'region' }]);
    expect(decide({ admittedShare: 0 }, poor).excluded).toMatchObject([{ reason: 'breaker_open' }]);
  });

  it('is anything but verified, where only verified tools are wanted', () => {
    const policy = verifiedOnly(defaultRoutingPolicy);
    for (const verification of ['unverified', 'verifying', 'stale', 'failed', 'restricted'] as const) {
      const { excluded } = decideRoute([sampleCandidate({ verification })], request(), policy);
      expect(excluded).toMatchObject([{ reason: 'unverified' }]);
    }
    expect(decideRoute([sampleCandidate()], request(), policy).excluded).toEqual([]);
  });
});

describe('whom the caller asks for', () => {
  const three = ['a', 'b', 'c'].map((id) => sampleCandidate({ toolId: `${id}.tool.v1`, providerId: id }));

  it.each<[Partial<RoutingRequest>, string[], string[]]>([
    [{ providerId: 'b' }, ['b.tool.v1'], ['a.tool.v1', 'c.tool.v1']],
    [{ providerIds: ['c', 'a'] }, ['a.tool.v1', 'c.tool.v1'], ['b.tool.v1']],
    [{ providerId: 'b', providerIds: ['a'] }, [], ['a.tool.v1', 'b.tool.v1', 'c.tool.v1']],
    [{ providerIds: [] }, [], ['a.tool.v1', 'b.tool.v1', 'c.tool.v1']],
  ])('%j: %j are candidates', (asked, candidates, notAsked) => {
    const decision = decideRoute(three, request(asked));
    expect(decision.candidates.map(({ toolId }) => toolId)).toEqual(candidates);
    expect(decision).toMatchObject({ notAsked, excluded: [] });
  });
});

describe('a decision', () => {
  it.each<[string, Candidate[]]>([
    ['a tool twice', [sampleCandidate(), sampleCandidate()]],
    ['successes below zero', [sampleCandidate({ successes: -1 })]],
    ['a share above one', [sampleCandidate({ admittedShare: 1.5 })]],
    ['a p95 that is no number', [sampleCandidate({ p95Ms: Number.NaN })]],
    ['a p95 without end', [sampleCandidate({ p95Ms: Number.POSITIVE_INFINITY })]],
    [
      'more candidates than a capability has',
      Array.from({ length: MAX_CANDIDATES + 1 }, (_, index) => sampleCandidate({ toolId: `t${index}.a.b.v1` })),
    ],
  ])('is refused for %s', (_name, candidates) => {
    expect(() => decideRoute(candidates, request())).toThrow(RangeError);
  });

  it('is of nobody where there is nobody', () => {
    const nobody = { chosen: undefined, candidates: [], excluded: [], notAsked: [] };
    expect(decideRoute([], request())).toEqual(nobody);
  });
});
