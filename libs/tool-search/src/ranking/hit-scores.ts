import type { Dictionary } from '../index/dictionary.js';
import type { Segment } from '../index/segment.js';
import type { WordVectors } from '../vectors/index.js';
import { CloseWords } from './close-words.js';
import type { Candidate } from './lexical-scores.js';
import { NameRarities } from './name-rarities.js';
import { OrderScorer } from './order-scores.js';
import type { ParsedQuery } from './parse-query.js';
import type { ResolvedTerm } from './resolve-terms.js';
import { SentenceScorer } from './sentence-scores.js';
import { directionsOfSentences, scoreVectors, wordByWordShare } from './vector-scores.js';
import type { RankingWeights } from './weights.js';

/** The least that it may count to be near each word, so that it is worth the comparisons. */
const LEAST_WORD_BY_WORD = 0.05;

/** How near the tools are to where the query points. */
interface Likeness {
  /** By candidate the cosine of query and tool; undefined where the query has no direction. */
  readonly likeness: Float32Array | undefined;
  /** The part of its weight that it has in this query. */
  readonly share: number;
}

/** By candidate, 0 to 1. */
export interface WholeScores extends Likeness {
  /** The scores by which the hits are found that are looked at more closely: what is below, and the share of the name that the query says letter by letter. */
  readonly found: Float64Array;
  /** The scores without names. */
  readonly scores: Float64Array;
  /** The weights of all that is in them. */
  readonly weight: number;
}

type Terms = readonly (ResolvedTerm | undefined)[];

/** Weighs what is known of tools that may be hits. Scratch space of one search after the other. */
export class HitScorer {
  private readonly sentences = new SentenceScorer();
  private readonly rarities: NameRarities;
  private readonly order: OrderScorer;
  private readonly closeWords: CloseWords;

  constructor(
    private readonly dictionary: Dictionary,
    private readonly wordVectors: WordVectors | undefined,
    private readonly weights: RankingWeights,
  ) {
    this.rarities = new NameRarities(dictionary);
    this.order = new OrderScorer(dictionary, this.rarities);
    this.closeWords = new CloseWords(dictionary, this.rarities, wordVectors);
  }

  /** By their texts as a whole. */
  whole(
    { segments, size }: { readonly segments: readonly Segment[]; readonly size: number },
    candidates: readonly Candidate[],
    terms: Terms,
    { pairs, sentences }: ParsedQuery,
    { likeness, share }: Likeness,
  ): WholeScores {
    const { weights: w } = this;
    this.rarities.prepare(size);
    const best = sentences > 1 ? this.sentences.score(segments, terms, sentences, candidates) : undefined;
    const order = this.order.score(candidates, terms, pairs);
    const vectorWeight = likeness === undefined ? 0 : w.vectors * share;
    const weight = w.fields + w.plain + w.bestSentence + w.pairs + vectorWeight;
    const scores = Float64Array.from(candidates, ({ fields, plain }, at) => {
      const score =
        w.fields * fields +
        w.plain * plain +
        w.bestSentence * (best?.[at] ?? fields) +
        w.pairs * (order.pairs[at] ?? 0) +
        vectorWeight * (likeness?.[at] ?? 0);
      return score / weight;
    });
    const found = scores.map((score, at) => (weight * score + w.name * (order.name[at] ?? 0)) / (weight + w.name));
    return { found, scores, weight, likeness, share };
  }

  /** The scores of the hits at `places`, with what their single words and the sentences of the query say. */
  closer(
    { scores, weight, likeness, share }: WholeScores,
    places: readonly number[],
    candidates: readonly Candidate[],
    terms: Terms,
    parsed: ParsedQuery,
  ): Float64Array {
    const { weights: w, wordVectors } = this;
    const byWord = wordVectors === undefined ? 0 : wordByWordShare(parsed, terms);
    const sentenceWeight = likeness === undefined ? 0 : w.nearestSentence * (1 - share);
    const directions =
      wordVectors === undefined || parsed.sentences < 2 || sentenceWeight === 0
        ? []
        : directionsOfSentences(parsed, terms, wordVectors, this.dictionary);
    const hits = places.flatMap((place) => candidates[place] ?? []);
    const close = this.closeWords.score(hits, terms, byWord < LEAST_WORD_BY_WORD);
    const bySentence = directions.map((direction) => scoreVectors(hits, direction));
    const sum = weight + sentenceWeight + w.name + byWord * (w.words + w.leastWord);
    return Float64Array.from(places, (place, hit) => {
      const words = w.words * (close.words[hit] ?? 0) + w.leastWord * (close.leastWord[hit] ?? 0);
      const nearest =
        bySentence.length === 0
          ? (likeness?.[place] ?? 0)
          : Math.max(...bySentence.map((cosines) => cosines[hit] ?? 0));
      const whole = weight * (scores[place] ?? 0) + sentenceWeight * nearest;
      return (whole + w.name * (close.name[hit] ?? 0) + byWord * words) / sum;
    });
  }
}
