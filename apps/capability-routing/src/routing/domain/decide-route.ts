import { formatCredits } from '@capability-router/kernel';
import { assertCandidate, type Candidate } from './candidate.js';
import { admit, percent, type Admitted, type Exclusion } from './exclude.js';
import { explore } from './explore.js';
import { defaultRoutingPolicy, type Preference, type RoutingPolicy } from './routing-policy.js';
import type { RankedCandidate, RoutingDecision } from './routing-decision.js';
import type { RoutingRequest } from './routing-request.js';
import { factorsOf, scoreOf } from './score.js';

/** Tools that one capability can be bound to. */
export const MAX_CANDIDATES = 200;

/**
 * Who serves a request, in which order, and why. The same candidates, request and policy give the same decision, whatever
 * the order of the candidates. Throws `RangeError` for more than `MAX_CANDIDATES`, a tool that is there twice, and evidence
 * that cannot be.
 */
export function decideRoute(
  candidates: readonly Candidate[],
  request: RoutingRequest,
  policy: RoutingPolicy = defaultRoutingPolicy,
): RoutingDecision {
  if (candidates.length > MAX_CANDIDATES) throw new RangeError(`more than ${MAX_CANDIDATES} candidates`);
  const byId = [...candidates].sort((a, b) => compareIds(a.toolId, b.toolId));
  const admitted: Admitted[] = [];
  const excluded: Exclusion[] = [];
  const notAsked: string[] = [];
  let before: string | undefined;
  for (const candidate of byId) {
    assertCandidate(candidate);
    if (candidate.toolId === before) throw new RangeError(`tool "${candidate.toolId}" is there twice`);
    before = candidate.toolId;
    if (!isAsked(candidate, request)) {
      notAsked.push(candidate.toolId);
      continue;
    }
    const judged = admit(candidate, request, policy);
    if ('admitted' in judged) admitted.push(judged.admitted);
    else excluded.push(judged.exclusion);
  }
  const prefer = request.prefer ?? 'balanced';
  const ranked = admitted.map((one) => rank(one, prefer, policy)).sort(compareRanks);
  const inOrder = explore(ranked, request.seed, policy);
  return { chosen: inOrder[0]?.toolId, candidates: inOrder, excluded, notAsked };
}

/** Is it of a provider that the caller asks for? */
export function isAsked({ providerId }: Candidate, request: RoutingRequest): boolean {
  return (
    (request.providerId === undefined || request.providerId === providerId) &&
    (request.providerIds?.includes(providerId) ?? true)
  );
}

function rank({ candidate, upperPrice }: Admitted, prefer: Preference, policy: RoutingPolicy): RankedCandidate {
  const { toolId, providerId, successes, failures, p95Ms, verification } = candidate;
  const factors = factorsOf(candidate, upperPrice, policy);
  const calls = successes + failures;
  const evidence = `${percent(factors.quality)} success from ${calls} calls and the prior`;
  const time = p95Ms === undefined ? 'p95 not known' : `p95 ${Math.round(p95Ms)} ms`;
  return {
    toolId,
    providerId,
    upperPrice,
    score: scoreOf(factors, prefer, policy),
    factors,
    calls,
    isExploration: false,
    explanation: `Up to ${formatCredits(upperPrice)} credits; ${evidence}; ${time}; ${verification}.`,
  };
}

/** The better first; of equals the cheaper, then by id. */
function compareRanks(a: RankedCandidate, b: RankedCandidate): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.upperPrice !== b.upperPrice) return a.upperPrice < b.upperPrice ? -1 : 1;
  return compareIds(a.toolId, b.toolId);
}

const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
