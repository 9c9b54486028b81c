import type { VerificationStatus } from '@capability-router/contracts';

/** The caller's preference; `balanced` where it does not say. */
export type Preference = 'balanced' | 'price' | 'speed' | 'quality';

/** Exponents of the factors of a score. */
export interface Weights {
  readonly price: number;
  readonly quality: number;
  readonly speed: number;
}

/** Every number that a decision rests on, beside what is known of the candidates. */
export interface RoutingPolicy {
  readonly weights: Readonly<Record<Preference, Weights>>;
  /** Credits at which the factor of the price is a half. */
  readonly halfPriceCredits: number;
  /** Milliseconds at which the factor of the speed is a half; also the p95 of a candidate whose own is not known. */
  readonly halfSpeedMs: number;
  /** The success rate of a candidate of which nothing is known, and the calls that it counts as. */
  readonly priorSuccess: { readonly rate: number; readonly calls: number };
  /** A candidate whose success rate, with the prior, is below is left out. */
  readonly minSuccessRate: number;
  /** Factor of the freshness: `floor` and more for old data, 1 for new, half way after `halfLifeMs`. */
  readonly freshness: { readonly floor: number; readonly halfLifeMs: number; readonly unknown: number };
  readonly verification: Readonly<Record<VerificationStatus, number>>;
  /** Candidates of these are left out. */
  readonly refusedVerifications: readonly VerificationStatus[];
  /**
   * In this share of the requests a candidate with fewer calls than `belowCalls` goes first, provided that its price is at
   * most `maxPriceFactor` times that of the best (`halfPriceCredits` added to both).
   */
  readonly exploration: { readonly share: number; readonly belowCalls: number; readonly maxPriceFactor: number };
}

const DAY_MS = 86_400_000;

/** The policy that docs/routing.md explains; a test compares the two. */
export const defaultRoutingPolicy: RoutingPolicy = {
  weights: {
    balanced: { price: 0.5, quality: 4, speed: 0.5 },
    price: { price: 1, quality: 2, speed: 0.25 },
    speed: { price: 0.25, quality: 4, speed: 1 },
    quality: { price: 0.25, quality: 8, speed: 0.25 },
  },
  halfPriceCredits: 0.1,
  halfSpeedMs: 1_000,
  priorSuccess: { rate: 0.9, calls: 10 },
  minSuccessRate: 0.5,
  freshness: { floor: 0.5, halfLifeMs: 30 * DAY_MS, unknown: 0.9 },
  verification: { verified: 1, stale: 0.9, verifying: 0.8, unverified: 0.8, failed: 0.4, restricted: 0.4 },
  refusedVerifications: ['failed', 'restricted'],
  exploration: { share: 0.05, belowCalls: 50, maxPriceFactor: 2 },
};

/** The policy of a capability, or of a caller, that asks for tools whose checks have all passed. */
export const verifiedOnly = (policy: RoutingPolicy): RoutingPolicy => ({
  ...policy,
  refusedVerifications: ['unverified', 'verifying', 'stale', 'failed', 'restricted'],
});
