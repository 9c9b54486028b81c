import { creditsToNumber } from '@capability-router/kernel';
import { draw } from './draw.js';
import type { RankedCandidate } from './routing-decision.js';
import type { RoutingPolicy } from './routing-policy.js';

/**
 * In a small share of the requests, one of the candidates with little evidence goes first, each with the same chance. It is
 * one that the request admits anyway, so neither the budget nor any other bound is touched, and what comes first otherwise
 * is tried next.
 */
export function explore(ranked: readonly RankedCandidate[], seed: string, policy: RoutingPolicy): RankedCandidate[] {
  const [best, ...others] = ranked;
  const { share, belowCalls, maxPriceFactor } = policy.exploration;
  const drawn = draw(seed);
  if (best === undefined || drawn >= share) return [...ranked];
  const priced = ({ upperPrice }: RankedCandidate): number => creditsToNumber(upperPrice) + policy.halfPriceCredits;
  const highest = priced(best) * maxPriceFactor;
  const unknown = others
    .filter((one) => one.calls < belowCalls && priced(one) <= highest)
    .sort((a, b) => (a.toolId < b.toolId ? -1 : 1));
  const explored = unknown[Math.floor((drawn / share) * unknown.length)];
  if (explored === undefined) return [...ranked];
  const first = {
    ...explored,
    isExploration: true,
    explanation: `It goes first because only ${explored.calls} calls of it are known. ${explored.explanation}`,
  };
  return [first, ...ranked.filter(({ toolId }) => toolId !== explored.toolId)];
}
