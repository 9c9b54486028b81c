import { creditsToNumber, type Credits } from '@capability-router/kernel';
import type { Candidate } from './candidate.js';
import type { Preference, RoutingPolicy } from './routing-policy.js';

/** The parts of a score, each above 0 and at most 1, before the weights. */
export interface Factors {
  readonly price: number;
  /** The success rate with the prior. */
  readonly quality: number;
  readonly speed: number;
  readonly freshness: number;
  readonly verification: number;
}

const SIGNIFICANT_DIGITS = 6;

/** The success rate, 0 to 1: few calls move it little from the prior. */
export function successRate({ successes, failures }: Candidate, { priorSuccess }: RoutingPolicy): number {
  return (successes + priorSuccess.rate * priorSuccess.calls) / (successes + failures + priorSuccess.calls);
}

export function factorsOf(candidate: Candidate, upperPrice: Credits, policy: RoutingPolicy): Factors {
  const { halfPriceCredits, halfSpeedMs, freshness } = policy;
  const { dataAgeMs, p95Ms = halfSpeedMs, verification } = candidate;
  return {
    price: halfPriceCredits / (halfPriceCredits + creditsToNumber(upperPrice)),
    quality: successRate(candidate, policy),
    speed: halfSpeedMs / (halfSpeedMs + p95Ms),
    freshness:
      dataAgeMs === undefined
        ? freshness.unknown
        : freshness.floor + (1 - freshness.floor) * 2 ** (-Math.max(0, dataAgeMs) / freshness.halfLifeMs),
    verification: policy.verification[verification],
  };
}

/**
 * The product of the factors, each to the power of its weight, to six digits. It rests on the candidate alone, so two
 * candidates are in the same order whichever others there are.
 */
export function scoreOf(factors: Factors, prefer: Preference, { weights }: RoutingPolicy): number {
  const { price, quality, speed } = weights[prefer];
  const score =
    factors.price ** price *
    factors.quality ** quality *
    factors.speed ** speed *
    factors.freshness *
    factors.verification;
  return Number(score.toPrecision(SIGNIFICANT_DIGITS));
}
