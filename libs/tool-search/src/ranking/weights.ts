import type { SearchField } from '../document.js';

/** How much an occurrence counts by where it stands (BM25F). */
export const fieldWeights: Readonly<Record<SearchField, number>> = {
  id: 0.3,
  name: 2.5,
  description: 2,
  provider: 1,
  category: 1,
  params: 0.3,
  feedback: 0.15,
};

/**
 * Terms of a field of a typical tool, by which lengths are judged. Constants and not the catalogue's own averages, so
 * that a tool scores the same whichever tools were indexed with it, and parts of an index can be merged.
 */
export const typicalLengths: Readonly<Record<SearchField, number>> = {
  id: 4,
  name: 3.5,
  description: 13,
  provider: 2,
  category: 2.5,
  params: 14,
  feedback: 1,
};
/** Terms of a whole tool without its id. */
export const typicalLength = 35;

/** BM25: how soon repeated occurrences stop to count, and how much a long text is held against a tool. */
export const saturation = 1.2;
export const fieldLengthPenalty = 0.6;
export const lengthPenalty = 0.75;
/** The most that occurrences of one term can reach, before its rarity is counted in. */
export const maxImpact = saturation + 1;

/** The most that one term of the feedback field counts, in occurrences, however many searches there were. */
export const MAX_FEEDBACK_OCCURRENCES = 4;

/** The weight of each part of the score. All parts lie between 0 and 1; the sum is divided by that of the weights. */
export interface RankingWeights {
  /** BM25F over weighted fields. */
  readonly fields: number;
  /** BM25 over the text as one field. */
  readonly plain: number;
  /** BM25F of the sentence of the request that fits best. */
  readonly bestSentence: number;
  /** Likeness of the sentence of a long request that points nearest. */
  readonly nearestSentence: number;
  /** How much of the tool's name the request says or nearly says. */
  readonly name: number;
  /** How near the tool comes to each word of a short request, and to that to which it is least near. */
  readonly words: number;
  readonly leastWord: number;
  /** Pairs of neighbouring words that the request and the tool share. */
  readonly pairs: number;
  /** Likeness by word vectors, for a short request; a part of it for a longer one. */
  readonly vectors: number;
}

export const defaultWeights: RankingWeights = {
  fields: 1,
  plain: 0.3,
  bestSentence: 0.8,
  nearestSentence: 1,
  name: 1,
  words: 2,
  leastWord: 2,
  pairs: 0.3,
  vectors: 9.5,
};
