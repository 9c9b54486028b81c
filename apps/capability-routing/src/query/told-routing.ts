import { creditsToNumber, type JsonObject } from '@capability-router/kernel';
import type { RankedCandidate, RoutingDecision } from '../routing/index.js';

/** `routing` of an answer as far as it is known before anything runs: who is tried in which order, who is not, and why. */
export function toldRouting({ candidates, excluded, notAsked }: RoutingDecision): JsonObject {
  return {
    candidates: candidates.map(toldCandidate),
    excluded: excluded.map(({ toolId, reason, explanation }) => ({ tool_id: toolId, reason, explanation })),
    ...(notAsked.length === 0 ? {} : { not_asked: [...notAsked] }),
  };
}

/** As many as a score has. */
const FACTOR_DIGITS = 6;

const toldCandidate = (candidate: RankedCandidate): JsonObject => ({
  tool_id: candidate.toolId,
  provider_id: candidate.providerId,
  upper_price_credits: creditsToNumber(candidate.upperPrice),
  score: candidate.score,
  factors: Object.fromEntries(
    Object.entries(candidate.factors).map(([name, factor]: [string, number]) => [
      name,
      Number(factor.toPrecision(FACTOR_DIGITS)),
    ]),
  ),
  calls: candidate.calls,
  exploration: candidate.isExploration,
  explanation: candidate.explanation,
});
