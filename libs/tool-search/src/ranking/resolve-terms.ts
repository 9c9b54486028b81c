import type { Dictionary } from '../index/dictionary.js';
import type { ParsedQuery, QueryTerm } from './parse-query.js';
import type { SpellingIndex } from './spelling.js';

/** Distinct terms of a query that are looked up: the most telling ones. */
export const MAX_QUERY_TERMS = 64;
/** What a term counts that was only guessed from a misspelt one. */
const GUESSED_WEIGHT = 0.7;
/** Misspelt words of a query that are guessed at. */
const MAX_GUESSES = 4;

export interface ResolvedTerm extends QueryTerm {
  /** In the dictionary; -1 for a term that no tool holds. */
  readonly number: number;
  /** Weight times inverse document frequency. */
  readonly importance: number;
}

/** Inverse document frequency; never negative, and above 0 even for a term of every document. */
export function inverseDocumentFrequency(documents: number, holding: number): number {
  return Math.log(1 + (Math.max(documents, holding) - holding + 0.5) / (holding + 0.5));
}

/** In the order of the query, aligned with `parsed.terms`; undefined for a term that is too many. */
export function resolveTerms(
  parsed: ParsedQuery,
  dictionary: Dictionary,
  documents: number,
  spelling: SpellingIndex | undefined,
  tellingOf: (term: string) => number = () => 1,
): readonly (ResolvedTerm | undefined)[] {
  let guesses = 0;
  const resolved = parsed.terms.map((term): ResolvedTerm => {
    let number = dictionary.numberOf(term.term) ?? -1;
    let weight = term.weight;
    if (
      spelling !== undefined &&
      term.said &&
      (number === -1 || dictionary.frequencyOf(number) === 0) &&
      guesses < MAX_GUESSES
    ) {
      const guess = spelling.closest(term.term);
      if (guess !== undefined) {
        guesses += 1;
        number = guess;
        weight *= GUESSED_WEIGHT;
      }
    }
    const holding = number === -1 ? 0 : dictionary.frequencyOf(number);
    return {
      ...term,
      weight,
      number,
      importance: tellingOf(term.term) * weight * inverseDocumentFrequency(documents, Math.max(1, holding)),
    };
  });
  if (resolved.length <= MAX_QUERY_TERMS) return resolved;
  const least = resolved.map(({ importance }) => importance).sort((a, b) => b - a)[MAX_QUERY_TERMS - 1] ?? 0;
  let room = MAX_QUERY_TERMS;
  return resolved.map((term) => (term.importance >= least && room-- > 0 ? term : undefined));
}
