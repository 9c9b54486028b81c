import type { Dictionary } from '../index/dictionary.js';
import type { ParsedQuery, QueryTerm } from './parse-query.js';
import type { SpellingIndex } from './spelling.js';

/** Distinct terms of a query that are looked up: the most telling ones. */
export const MAX_QUERY_TERMS = 64;
/** The weight of a term that was only guessed from a misspelt one. */
const GUESSED_WEIGHT = 0.7;
/** English words for one Chinese word that are looked up: the first ones that some tool holds. */
const MAX_GLOSSES = 4;
/** Each counts this much of the one before. */
const WEIGHT_BY_RANK = 0.8;
/**
 * Tools of the world at large by which rarity is judged beside the catalogue's own: in a catalogue of films `movie` is
 * common and still says something, and in a small one a word may be rare by chance.
 */
const TOOLS_AT_LARGE = 1_000;
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

/** How rare terms are. */
interface Rarity {
  /** Tools in the index. */
  readonly documents: number;
  /** How much of the text about tools at large holds a term, 0 to 1. Undefined: only the index is known. */
  readonly shareOf?: ((term: string) => number) | undefined;
}

/** In the order of the query, aligned with `parsed.terms`; undefined for a term that is too many. */
export function resolveTerms(
  parsed: ParsedQuery,
  dictionary: Dictionary,
  rarity: Rarity,
  spelling: SpellingIndex | undefined,
): readonly (ResolvedTerm | undefined)[] {
  let guesses = 0;
  const glosses = glossesIn(parsed, dictionary);
  const resolved = parsed.terms.map((term): ResolvedTerm | undefined => {
    if (!term.said) return glossed(term, glosses.get(term), rarity);
    let number = dictionary.numberOf(term.term) ?? -1;
    let weight = term.weight;
    if (spelling !== undefined && (number === -1 || dictionary.frequencyOf(number) === 0) && guesses < MAX_GUESSES) {
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
      importance: weight * rarityOf(term.term, holding, rarity),
    };
  });
  if (resolved.length <= MAX_QUERY_TERMS) return resolved;
  const importances = resolved.map((term) => term?.importance ?? 0);
  const least = importances.sort((a, b) => b - a)[MAX_QUERY_TERMS - 1] ?? 0;
  let room = MAX_QUERY_TERMS;
  return resolved.map((term) => (term !== undefined && term.importance >= least && room-- > 0 ? term : undefined));
}

function rarityOf(term: string, holding: number, { documents, shareOf }: Rarity): number {
  const held = Math.max(1, holding);
  if (shareOf === undefined) return inverseDocumentFrequency(documents, held);
  return inverseDocumentFrequency(documents + TOOLS_AT_LARGE, held + TOOLS_AT_LARGE * shareOf(term));
}

interface ChosenGloss {
  readonly number: number;
  readonly weight: number;
  /** Tools that hold the most common English word for the same Chinese one. */
  readonly holding: number;
}

/**
 * The English words that are looked up for Chinese ones; where no tool holds any, the first stands for a word that nobody
 * knows. All words for one Chinese word are as rare as the most common of them: a rare translation is no better evidence
 * (Pirkola's structured queries).
 */
function glossesIn(parsed: ParsedQuery, dictionary: Dictionary): ReadonlyMap<QueryTerm, ChosenGloss> {
  const byChineseWord = new Map<string, QueryTerm[]>();
  for (const term of parsed.terms) {
    if (term.said) continue;
    const same = byChineseWord.get(term.surface);
    if (same === undefined) byChineseWord.set(term.surface, [term]);
    else same.push(term);
  }
  const chosen = new Map<QueryTerm, ChosenGloss>();
  for (const terms of byChineseWord.values()) {
    const numbered = terms.map((term) => ({ term, number: dictionary.numberOf(term.term) ?? -1 }));
    const held = numbered.filter(({ number }) => number !== -1 && dictionary.frequencyOf(number) > 0);
    const kept = held.length > 0 ? held.slice(0, MAX_GLOSSES) : numbered.slice(0, 1);
    const holding = Math.max(0, ...kept.map(({ number }) => (number === -1 ? 0 : dictionary.frequencyOf(number))));
    kept.forEach(({ term, number }, rank) => {
      chosen.set(term, { number, weight: WEIGHT_BY_RANK ** (rank + 1), holding });
    });
  }
  return chosen;
}

function glossed(term: QueryTerm, gloss: ChosenGloss | undefined, rarity: Rarity): ResolvedTerm | undefined {
  if (gloss === undefined) return undefined;
  const { number, weight, holding } = gloss;
  return { ...term, number, weight, importance: weight * rarityOf(term.term, holding, rarity) };
}
