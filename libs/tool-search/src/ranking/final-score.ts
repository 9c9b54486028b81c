/** Everything that is known of how well a tool fits a query. */
export interface Evidence {
  /** 0 to 1: the part of the query that the tool says. */
  readonly found: number;
  /** 0 to 1: the cosine of query and tool; undefined without word vectors. */
  readonly alike: number | undefined;
  /** 0 to 1: the part of the query that the vectors know; the cosine is silent about the rest. */
  readonly known: number;
}

/** The weight of the cosine in a fit; the rest is what was found. */
const LIKENESS = 0.7;
/** How much what was found counts by itself, where that is more: a tool may say what was asked for in a text about other things. */
const WORDS_ALONE = 1.25;
/** The same where the vectors know no word of the query, so that nothing but words can speak for a tool. */
const UNKNOWN_WORDS_ALONE = 1.75;

/** 0 to 1: how well a tool fits, by which it is judged whether there is an answer at all. */
export function fitOf({ found, alike, known }: Evidence): number {
  if (alike === undefined) return found;
  const likeness = LIKENESS * known;
  const wordsAlone = UNKNOWN_WORDS_ALONE + (WORDS_ALONE - UNKNOWN_WORDS_ALONE) * known;
  return Math.max((1 - likeness) * found + likeness * alike, Math.min(1, wordsAlone * found));
}

/** By what a hit is judged. */
export interface JudgedHit extends Evidence {
  /** 0 to 1. */
  readonly fit: number;
  /** 0 to 1: its score, divided by the best one of the answer. */
  readonly relative: number;
  /** Most of the query is known by the English words of a dictionary. */
  readonly glossed: boolean;
}

/** How a `finalScore` from 0 to 1 is made, which can be compared between queries. */
export type Judgement = (hit: JudgedHit) => number;

/** `likeness`, 0 to 1: the weight of the cosine; the rest is what was found. */
export const weighing =
  (likeness: number): Judgement =>
  ({ found, alike }) =>
    alike === undefined ? found : (1 - likeness) * found + likeness * alike;

/**
 * Weights of 1, the fit and the relative score in a logistic function. `npm run bench:search -- --calibrate` learns them from what
 * readers called relevant among the first ten tools for each need of the half to choose on, those that nothing serves included.
 */
const weights = { said: [-10.55, 5.16, 6.86], glossed: [-11.14, 6.56, 6.79] } as const;

/** The probability that a reader would call the tool relevant; how far it can be trusted is in docs/search.md. */
export const probability: Judgement = ({ fit, relative, glossed }) => {
  const [always, byFit, byRelative] = glossed ? weights.glossed : weights.said;
  return 1 / (1 + Math.exp(-(always + byFit * fit + byRelative * relative)));
};

/** Hits by which it is judged whether there is an answer at all, whatever the limit. */
const JUDGED_HITS = 10;
/** The share of `minFit` that a hit needs where another one reaches all of it. */
const BESIDE_A_GOOD_HIT = 0.5;

/** Nothing where none of the first hits is good enough; else those that are at least half as good. */
export function fitting<T extends { readonly fit: number }>(hits: readonly T[], minFit: number): readonly T[] {
  const good = hits.slice(0, JUDGED_HITS).some(({ fit }) => fit >= minFit);
  return good ? hits.filter(({ fit }) => fit >= BESIDE_A_GOOD_HIT * minFit) : [];
}
