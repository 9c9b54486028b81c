import { isCjk } from '../text/words.js';
import type { Dictionary } from '../index/dictionary.js';
import type { WordVectors } from '../vectors/index.js';
import type { Candidate } from './lexical-scores.js';
import type { ParsedQuery } from './parse-query.js';
import type { ResolvedTerm } from './resolve-terms.js';

/** The weight of a Chinese word in a direction whose vector is known; English vectors are 1.8 long in the middle. */
const CHINESE_WORD_WEIGHT = 1.8;
/** The part of their weight that the English words for such a word have beside it: of what they may mean, it means one thing. */
const BESIDE_CHINESE_WORD = 0.4;

/**
 * The direction in which a query points: its words as they are said, misspelt ones as what they are taken for, Chinese ones, and the English words for
 * these by how sure they are. Undefined where the vectors know none of them.
 */
export function directionOf(
  { words }: Pick<ParsedQuery, 'words'>,
  terms: readonly (ResolvedTerm | undefined)[],
  wordVectors: WordVectors,
  dictionary: Dictionary,
): Float32Array | undefined {
  const taken = new Map<string, string>();
  const glosses: ResolvedTerm[] = [];
  for (const term of terms) {
    if (term === undefined) continue;
    if (!term.said) glosses.push(term);
    else if (term.number !== -1) taken.set(term.term, dictionary.textOf(term.number));
  }
  const isKnown = (word: string): boolean => wordVectors.rowOf(word) !== -1;
  const read = words.map((word) => (isKnown(word) ? word : (taken.get(word) ?? word)));
  const chinese = [...new Set(glosses.map(({ surface }) => surface))].filter(isKnown);
  return wordVectors.embedText(read, [
    ...glosses.map(({ term, weight, surface }) => ({
      term,
      weight: (isKnown(surface) ? BESIDE_CHINESE_WORD : 1) * weight,
    })),
    ...chinese.map((term) => ({ term, weight: CHINESE_WORD_WEIGHT })),
  ]);
}

/** The directions of the sentences of a query that have one. */
export function directionsOfSentences(
  { wordsBySentence, sentences }: ParsedQuery,
  terms: readonly (ResolvedTerm | undefined)[],
  wordVectors: WordVectors,
  dictionary: Dictionary,
): Float32Array[] {
  return Array.from({ length: sentences }, (_, sentence) => {
    const own = terms.filter((term) => term !== undefined && (term.sentences & (1 << sentence)) !== 0);
    return directionOf({ words: wordsBySentence[sentence] ?? [] }, own, wordVectors, dictionary);
  }).filter((direction) => direction !== undefined);
}

/** By candidate the cosine of query and tool, 0 to 1. */
export function scoreVectors(candidates: readonly Candidate[], query: Float32Array): Float32Array {
  const dimensions = query.length;
  const scores = new Float32Array(candidates.length);
  candidates.forEach(({ segment, document }, index) => {
    const { vectors } = segment;
    const from = document * dimensions;
    let sum = 0;
    for (let i = 0; i < dimensions; i += 1) sum += (query[i] ?? 0) * (vectors[from + i] ?? 0);
    scores[index] = Math.min(1, Math.max(0, sum / 127));
  });
  return scores;
}

/** Words up to which a request is short. */
const SHORT_QUERY_WORDS = 8;
/** How fast the likeness loses weight with further words: a long text points a little at everything that it mentions. */
const LENGTH_PENALTY = 1.5;
/** Words of the request that are known by the English words of a dictionary. */
const glossedWords = (terms: readonly (ResolvedTerm | undefined)[]): number =>
  new Set(terms.flatMap((term) => (term?.said === false ? [term.surface] : []))).size;

/** Whether most of the request is known by the English words of a dictionary. */
export function isMostlyGlossed({ words }: ParsedQuery, terms: readonly (ResolvedTerm | undefined)[]): boolean {
  return glossedWords(terms) > words.length;
}

/**
 * The part of what the request says, by importance, that the vectors know, 0 to 1: of the rest they are silent, and a word that they have
 * never met is often the one that matters.
 */
export function knownShare(
  terms: readonly (ResolvedTerm | undefined)[],
  wordVectors: WordVectors,
  dictionary: Dictionary,
): number {
  let all = 0;
  let known = 0;
  for (const term of terms) {
    // The English words for a Chinese one stand for it.
    if (term === undefined || !term.said || isCjk(term.term)) continue;
    const text = term.number === -1 ? term.term : dictionary.textOf(term.number);
    all += term.importance;
    if (wordVectors.rowOf(term.term) !== -1 || wordVectors.rowOf(text) !== -1) known += term.importance;
  }
  return all === 0 ? 1 : known / all;
}

/** How fast it stops to count with further words that a tool comes near to each word of a request: of a story it need not. */
const WORD_BY_WORD_PENALTY = 6;

/** How much it counts, 0 to 1, that a tool comes near to each word of the request. */
export function wordByWordShare(query: ParsedQuery, terms: readonly (ResolvedTerm | undefined)[]): number {
  return Math.min(1, (SHORT_QUERY_WORDS / lengthOf(query, terms)) ** WORD_BY_WORD_PENALTY);
}

const lengthOf = ({ words }: ParsedQuery, terms: readonly (ResolvedTerm | undefined)[]): number =>
  Math.max(1, words.length + glossedWords(terms));

/** The part of its weight that the likeness has for this request by its length, above 0. */
export function vectorShare(query: ParsedQuery, terms: readonly (ResolvedTerm | undefined)[]): number {
  return Math.min(1, (SHORT_QUERY_WORDS / lengthOf(query, terms)) ** LENGTH_PENALTY);
}
