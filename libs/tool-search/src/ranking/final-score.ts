/** How well a tool fits a query, as a number that can be compared between queries. */
export interface Judgement {
  /** 0 to 1: the weight of the likeness by word vectors; the rest is the part of the query that was found. */
  readonly likeness: number;
  /**
   * How much the part that was found counts by itself, where that is more: a tool may say what was asked for in a text about
   * other things.
   */
  readonly wordsAlone: number;
}

export const searchJudgement: Judgement = { likeness: 0.7, wordsAlone: 1.25 };

/** 0 to 1. `found`: the part of the query that the tool says; `alike`: the cosine; undefined without word vectors. */
export function finalScoreOf({ likeness, wordsAlone }: Judgement, found: number, alike: number | undefined): number {
  if (alike === undefined) return found;
  return Math.max((1 - likeness) * found + likeness * alike, Math.min(1, wordsAlone * found));
}

/** Hits by which it is judged whether there is an answer at all, whatever the limit. */
const JUDGED_HITS = 10;
/** The share of `minScore` that a hit needs where another one reaches all of it. */
const BESIDE_A_GOOD_HIT = 0.5;

/** Nothing where none of the first hits is good enough; else those that are at least half as good. */
export function fitting<T extends { readonly finalScore: number }>(hits: readonly T[], minScore: number): readonly T[] {
  const good = hits.slice(0, JUDGED_HITS).some(({ finalScore }) => finalScore >= minScore);
  return good ? hits.filter(({ finalScore }) => finalScore >= BESIDE_A_GOOD_HIT * minScore) : [];
}
