import type { Dictionary } from '../index/dictionary.js';

/** Characters; shorter words have too many neighbours to guess from. */
const MIN_LENGTH = 5;
const MAX_LENGTH = 24;
const asciiWord = /^[a-z]+$/;

/** Finds the term that a misspelt word probably means: one insertion, deletion, change or swap of neighbours away. */
export class SpellingIndex {
  /** Term numbers by first letter and length. A first letter is seldom wrong. */
  private readonly buckets = new Map<string, number[]>();
  private taken = 0;

  constructor(private readonly dictionary: Dictionary) {}

  /** Number of the most frequent neighbour; undefined where there is none. */
  closest(word: string): number | undefined {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !asciiWord.test(word)) return undefined;
    this.catchUp();
    let best: number | undefined;
    for (const length of [word.length - 1, word.length, word.length + 1]) {
      for (const number of this.buckets.get(keyOf(word, length)) ?? []) {
        const frequency = this.dictionary.frequencyOf(number);
        if (frequency === 0 || (best !== undefined && frequency <= this.dictionary.frequencyOf(best))) continue;
        if (isOneEditAway(word, this.dictionary.textOf(number))) best = number;
      }
    }
    return best;
  }

  /** Takes in the terms that the dictionary got since the last time. */
  private catchUp(): void {
    for (; this.taken < this.dictionary.size; this.taken += 1) {
      const term = this.dictionary.textOf(this.taken);
      if (term.length < MIN_LENGTH - 1 || term.length > MAX_LENGTH + 1 || !asciiWord.test(term)) continue;
      const key = keyOf(term, term.length);
      const bucket = this.buckets.get(key);
      if (bucket === undefined) this.buckets.set(key, [this.taken]);
      else bucket.push(this.taken);
    }
  }
}

const keyOf = (word: string, length: number): string => `${word[0] ?? ''}${length}`;

/** Damerau-Levenshtein distance 1 exactly. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from += 1;
  const swapped = a[from] === b[from + 1] && a[from + 1] === b[from];
  return (
    a.slice(from + 1) === b.slice(from + 1) ||
    a.slice(from) === b.slice(from + 1) ||
    a.slice(from + 1) === b.slice(from) ||
    (swapped && a.slice(from + 2) === b.slice(from + 2))
  );
}
