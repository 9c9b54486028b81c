/** A word that people searched with when they paid for the tool. */
export interface WeightedTerm {
  readonly term: string;
  /** Uses by age, above 0: one of a half-life ago counts half. The index takes the logarithm of it, up to a cap. */
  readonly weight: number;
}

export interface FeedbackPolicy {
  /** Nothing is collected and nothing is used where false. */
  readonly enabled: boolean;
  /** Days after which a use counts half. */
  readonly halfLifeDays: number;
}

/** Different accounts that must have used a term for a tool before anybody else's search is touched by it. */
export const MIN_ACCOUNTS = 5;
/** Terms of one tool; the weightiest stay. */
export const MAX_TERMS_PER_TOOL = 50;
/** Half-lives after which a use is removed: it counts a sixty-fourth by then. */
const HALF_LIVES_KEPT = 6;
/** Uses; more of them make no difference anywhere. */
const MAX_WEIGHT = 1_000;
/** Steps of a doubling, so that a day's decay or one use of many is not a new index entry. */
const STEPS_PER_DOUBLING = 8;

/** `uses`: the sum over the term's uses of 0.5 ^ (age / half-life). Coarse on a scale of logarithms; 0 for next to none. */
export function termWeight(uses: number): number {
  const doublings = Math.log2(1 + Math.min(uses, MAX_WEIGHT));
  return Number((2 ** (Math.round(doublings * STEPS_PER_DOUBLING) / STEPS_PER_DOUBLING) - 1).toFixed(2));
}

export const daysKept = ({ halfLifeDays }: FeedbackPolicy): number => halfLifeDays * HALF_LIVES_KEPT;
