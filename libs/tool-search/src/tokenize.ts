import { stem } from './stem.js';
import { functionWords } from './text/stop-words.js';
import { addWords, isCjk, runsOf } from './text/words.js';

/** Stems of words that were met; emptied when full, so that garbage cannot fill the memory. */
const stems = new Map<string, string>();
const MAX_CACHED_STEMS = 200_000;

export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_CACHED_STEMS) stems.clear();
  const fresh = stem(word);
  stems.set(word, fresh);
  return fresh;
}

export function bigramsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** Says which parts of a text become terms. */
export interface TermRules {
  /** Keep function words. */
  readonly all?: boolean;
  /** Short compounds as a whole, beside their parts. */
  readonly compounds?: boolean;
}

/**
 * The terms of a text that is searched in, in order, with repetitions: stems, and of CJK runs the characters and their
 * pairs. Where the rules say nothing, without function words and with compounds.
 */
export function documentTerms(text: string, rules: TermRules = {}): string[] {
  return runsOf(text).flatMap((run) => termsOfRun(run, rules));
}

export function termsOfRun(run: string, { all = false, compounds = true }: TermRules): string[] {
  const words: string[] = [];
  addWords(words, run, compounds);
  return words.flatMap((word) => {
    if (isCjk(word)) {
      const characters = [...word];
      return [...characters, ...bigramsOf(characters)];
    }
    return all || !functionWords.has(word) ? [stemOf(word)] : [];
  });
}
