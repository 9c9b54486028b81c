/** Terms of one text, stemmed as the engine does it, with repetitions. */
export type Terms = readonly string[];

export interface Vocabulary {
  /** Most frequent first. */
  readonly terms: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** By term: the natural logarithm of how many texts there are for one that holds it. */
  readonly inverseFrequencies: Float64Array;
}

/** Numbers, ids and words of other scripts have no vector: they either match or tell nothing. */
const wordPattern = /^[a-z][a-z'’]*$/;
/** Characters. */
const MAX_TERM_LENGTH = 24;

/** The `size` terms that stand in most texts, and at least in `minTexts`. Ties by term. */
export function vocabularyOf(texts: readonly Terms[], minTexts: number, size: number): Vocabulary {
  const frequencies = new Map<string, number>();
  for (const text of texts) {
    for (const term of new Set(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const chosen = [...frequencies]
    .filter(([term, count]) => count >= minTexts && term.length <= MAX_TERM_LENGTH && wordPattern.test(term))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, size);
  return {
    terms: chosen.map(([term]) => term),
    numbers: new Map(chosen.map(([term], number) => [term, number])),
    inverseFrequencies: Float64Array.from(chosen, ([, count]) => Math.log(texts.length / count)),
  };
}

/** The known terms of a text, in order and as often as it says them. */
export function termNumbersOf(text: Terms, { numbers }: Vocabulary): Int32Array {
  return Int32Array.from(text.flatMap((term) => numbers.get(term) ?? []));
}
