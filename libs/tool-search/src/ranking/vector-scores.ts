import { isCjk } from '../text/words.js';
import type { Dictionary } from '../index/dictionary.js';
import type { WordVectors } from '../vectors/index.js';
import type { Candidate } from './lexical-scores.js';
import type { ParsedQuery } from './parse-query.js';
import type { ResolvedTerm } from './resolve-terms.js';

/**
 * The direction in which a query points: its words as they are said, misspelt ones as what they are taken for, and the English words for the
 * Chinese ones by how sure they are. Undefined where the vectors know none of them.
 */
export function directionOf(
  { words }: ParsedQuery,
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
  return wordVectors.embedText(
    [...read, ...glosses.map(({ term }) => term)],
    [...read.map(() => 1), ...glosses.map(({ weight }) => weight)],
  );
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
/** The part of the weight where most of the request is known by the English words of a dictionary. */
const GLOSSED_SHARE = 0.4;

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

/** The part of its weight that the likeness has for this request by its length and language, above 0. */
export function vectorShare(query: ParsedQuery, terms: readonly (ResolvedTerm | undefined)[]): number {
  const length = Math.max(1, query.words.length + glossedWords(terms));
  const share = Math.min(1, (SHORT_QUERY_WORDS / length) ** LENGTH_PENALTY);
  return isMostlyGlossed(query, terms) ? GLOSSED_SHARE * share : share;
}
