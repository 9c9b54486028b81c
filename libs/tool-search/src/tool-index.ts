import { searchFields, type SearchDocument, type SearchField } from './document.js';
import type { ChineseGlosses } from './glosses/index.js';
import { postingOf, type Segment } from './index/segment.js';
import { SegmentedIndex, type BulkLoad, type MergeFailure } from './index/segmented-index.js';
import { LexicalScores, type Candidate } from './ranking/lexical-scores.js';
import { ceilingOf } from './ranking/ceiling.js';
import { bestPlaces } from './ranking/best-hits.js';
import { fitOf, fitting, probability, type Judgement } from './ranking/final-score.js';
import { breakNearTies, qualityScore } from './ranking/near-ties.js';
import { HitScorer } from './ranking/hit-scores.js';
import { NearestMeanings } from './ranking/nearest-meanings.js';
import { parseQuery } from './ranking/parse-query.js';
import { resolveTerms, type ResolvedTerm } from './ranking/resolve-terms.js';
import { withSemantic, type SemanticEvidence } from './ranking/semantic.js';
import { SpellingIndex } from './ranking/spelling.js';
import { directionOf, isMostlyGlossed, knownShare, scoreVectors, vectorShare } from './ranking/vector-scores.js';
import { defaultWeights, type RankingWeights } from './ranking/weights.js';
import type { WordVectors } from './vectors/index.js';

/** Tools that the lexical part hands to the finer ones. With 400, 500 and 1,000 the labelled queries score the same. */
export const MAX_CANDIDATES = 250;
/** Tools whose meaning is near that of the request that join them, whatever words they share. */
const MAX_NEAR = 200;
/** Hits looked at beyond those that are wanted: what a closer look finds may move up. With 60 and 150 the labelled queries score the same. */
const MARGIN = 30;

export interface SearchHit {
  readonly toolId: string;
  /** The score by which hits are ordered, 0 to 1; comparable within one answer only. 1 for an exact tool id. */
  readonly score: number;
  /** 0 to 1, comparable between queries: how likely a reader would call the tool relevant. 1 for an exact tool id. */
  readonly finalScore: number;
  readonly exact: boolean;
  /**
   * The words of the query (pairs of characters in CJK) that were found, heaviest first, with the fields that hold
   * them.
   */
  readonly matches: readonly { readonly word: string; readonly fields: readonly SearchField[] }[];
}

/** `minFit` below which hits are look-alikes; how it was chosen is in docs/search.md. */
export const DEFAULT_MIN_FIT = 0.3;
export interface SearchOptions {
  /** Hits at most. */
  readonly limit: number;
  /**
   * 0 to 1: nothing is found where none of the first ten hits fits as well as this; where one does, hits are left out that
   * fit less than half as well. 0 where absent.
   */
  readonly minFit?: number;
  /** Evidence of a model, which may name tools that share no word with the query. */
  readonly semantic?: SemanticEvidence;
}

export interface ToolIndexOptions {
  readonly wordVectors?: WordVectors;
  readonly glosses?: ChineseGlosses;
  /** How `finalScore` is made; the probability that a reader would call the tool relevant where absent. */
  readonly judgement?: Judgement;
  /** Guess at misspelt words; true where absent. */
  readonly spelling?: boolean;
  readonly weights?: Partial<RankingWeights>;
  /**
   * Hears of a merge in the background that failed; a warning of the process where absent. Answers stay right, and the
   * next change tries again.
   */
  readonly onError?: MergeFailure;
}

/** Tools in memory, searched without a model or a database. Searches are synchronous; changes are visible at once. */
export class ToolIndex {
  private readonly index: SegmentedIndex;
  private readonly spelling: SpellingIndex | undefined;
  private readonly weights: RankingWeights;
  /** Scratch space of one search. A search is synchronous, so there is never a second one at the same time. */
  private readonly lexical = new LexicalScores();
  private readonly meanings = new NearestMeanings();
  private readonly scorer: HitScorer;

  constructor(
    documents: readonly SearchDocument[],
    private readonly options: ToolIndexOptions = {},
  ) {
    this.index = new SegmentedIndex(options.wordVectors, options.onError);
    this.spelling = options.spelling === false ? undefined : new SpellingIndex(this.index.dictionary);
    this.weights = { ...defaultWeights, ...options.weights };
    this.scorer = new HitScorer(this.index.dictionary, options.wordVectors, this.weights);
    this.index.upsert(documents);
  }

  get size(): number {
    return this.index.size;
  }

  /** For documents that come in parts: they are searched once `finish` is called, and not before. As in `SegmentedIndex`. */
  startBulk(): BulkLoad {
    return this.index.startBulk();
  }

  upsert(documents: readonly SearchDocument[]): void {
    this.index.upsert(documents);
  }

  remove(toolIds: readonly string[]): void {
    this.index.remove(toolIds);
  }

  /** Tools that hold a term; a removed one counts for a while longer. */
  documentFrequencyOf(term: string): number {
    const number = this.index.dictionary.numberOf(term);
    return number === undefined ? 0 : this.index.dictionary.frequencyOf(number);
  }

  /** Resolves when no part of the index is being merged; answers are right all the time. */
  settled(): Promise<void> {
    return this.index.settled();
  }

  /**
   * The best `limit` tools, best first, ties by tool id; nothing when nothing matches. A query that is a tool id of the
   * index finds that tool alone.
   */
  search(query: string, { limit, minFit = 0, semantic }: SearchOptions): SearchHit[] {
    const exactId = query.trim().normalize('NFKC').toLowerCase();
    if (this.index.locate(exactId) !== undefined) {
      return [{ toolId: exactId, score: 1, finalScore: 1, exact: true, matches: [] }];
    }
    const parsed = parseQuery(query, this.options.glosses);
    const { dictionary, segments, size } = this.index;
    const rarity = { documents: size, shareOf: this.options.wordVectors?.shareOf };
    const terms = resolveTerms(parsed, dictionary, rarity, this.spelling);
    const { weights } = this;
    const { candidates: lexical, bestFields } = this.lexical.candidates(segments, terms, weights, MAX_CANDIDATES);
    const { wordVectors } = this.options;
    const direction = wordVectors === undefined ? undefined : directionOf(parsed, terms, wordVectors, dictionary);
    const known = direction === undefined ? lexical : this.withNearest(lexical, segments, direction);
    const candidates =
      semantic === undefined ? known : withSemantic(known, semantic, segments, (id) => this.index.locate(id));
    if (candidates.length === 0) return [];
    const likeness = direction === undefined ? undefined : scoreVectors(candidates, direction);
    const reach = bestFields / ceilingOf(terms);
    const share = wordVectors === undefined || direction === undefined ? 0 : knownShare(terms, wordVectors, dictionary);
    const whole = this.scorer.whole({ segments, size }, candidates, terms, parsed, {
      likeness,
      share: share * vectorShare(parsed, terms),
    });
    const at = (place: number): Candidate | undefined => candidates[place];
    const byModel = (place: number) => semantic?.byTool.get(toolIdOf(at(place)));
    const withModel = (score: number, place: number): number =>
      semantic === undefined ? score : (1 - semantic.share) * score + semantic.share * (byModel(place)?.likeness ?? 0);
    const before = (a: number, b: number): boolean => toolIdOf(at(a)) < toolIdOf(at(b));
    const places = bestPlaces(whole.found.map(withModel), limit + MARGIN, before);
    const closer = this.scorer
      .closer(whole, places, candidates, terms, parsed)
      .map((score, rank) => withModel(score, places[rank] ?? 0));
    const { judgement = probability } = this.options;
    const glossed = isMostlyGlossed(parsed, terms);
    const most = closer.reduce((largest, score) => Math.max(largest, score), Number.MIN_VALUE);
    const judged = (place: number, score: number): { readonly fit: number; readonly finalScore: number } => {
      const found = Math.min(1, (candidates[place]?.fields ?? 0) * reach);
      // Where the vectors know no word there is no direction, and a cosine of none is 0.
      const alike = wordVectors === undefined ? undefined : (likeness?.[place] ?? 0);
      const evidence = { found, alike, known: share };
      const fit = Math.max(fitOf(evidence), byModel(place)?.fit ?? 0);
      return { fit, finalScore: judgement({ ...evidence, fit, relative: score / most, glossed }) };
    };
    const order = bestPlaces(closer, places.length, (a, b) => before(places[a] ?? 0, places[b] ?? 0));
    const best = order.flatMap((rank) => {
      const place = places[rank] ?? 0;
      const candidate = at(place);
      if (candidate === undefined) return [];
      const { segment, document } = candidate;
      const quality = qualityScore(segment.qualities[document] ?? {});
      const score = closer[rank] ?? 0;
      return [{ candidate, score, ...judged(place, score), quality }];
    });
    return fitting(breakNearTies(best), minFit)
      .slice(0, limit)
      .map(({ candidate, score, finalScore }) => ({
        toolId: toolIdOf(candidate),
        score,
        finalScore,
        exact: false,
        matches: matchesOf(candidate, terms),
      }));
  }

  /** The candidates, and behind them the tools that mean about what the query means. */
  private withNearest(
    candidates: readonly Candidate[],
    segments: readonly Segment[],
    direction: Float32Array,
  ): readonly Candidate[] {
    const known = new Set(candidates.map(({ place }) => place));
    const near = this.meanings.find(segments, direction, MAX_NEAR).filter(({ place }) => !known.has(place));
    return [
      ...candidates,
      ...near.map((found) => this.lexical.candidateAt(found.segment, found.document, found.place)),
    ];
  }
}

const toolIdOf = (candidate: Candidate | undefined): string => candidate?.segment.toolIds[candidate.document] ?? '';

function matchesOf(
  { segment, document }: Candidate,
  terms: readonly (ResolvedTerm | undefined)[],
): SearchHit['matches'] {
  const found = terms.flatMap((term) => {
    if (term === undefined || term.weak || term.number === -1) return [];
    const posting = postingOf(segment, term.number, document);
    if (posting === -1) return [];
    const mask = segment.fieldMasks[posting] ?? 0;
    const impact = term.importance * (segment.fieldImpacts[posting] ?? 0);
    return [{ word: term.surface, impact, fields: searchFields.filter((_, field) => (mask & (1 << field)) !== 0) }];
  });
  return found.sort((a, b) => b.impact - a.impact).map(({ word, fields }) => ({ word, fields }));
}
