/** Two terms that stand side by side in texts, by number. */
export interface TermPair {
  readonly first: number;
  readonly second: number;
  /** Texts in which they do. */
  readonly texts: number;
}

/** Numbers of pairs by those of their terms. */
export type PairNumbers = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** Pairs of neighbours that at least `minTexts` texts hold, the `most` that stand in most of them. A term beside itself is none. */
export function pairsOf(texts: readonly Int32Array[], minTexts: number, most: number): readonly TermPair[] {
  const counts = new Map<number, Map<number, number>>();
  for (const terms of texts) {
    const seen = new Map<number, Set<number>>();
    eachPair(terms, (first, second) => {
      const after = seen.get(first) ?? new Set();
      if (first === second || after.has(second)) return;
      seen.set(first, after.add(second));
      const known = counts.get(first) ?? new Map<number, number>();
      counts.set(first, known.set(second, (known.get(second) ?? 0) + 1));
    });
  }
  return [...counts]
    .flatMap(([first, after]) => [...after].map(([second, found]) => ({ first, second, texts: found })))
    .filter((pair) => pair.texts >= minTexts)
    .sort(byOrder)
    .slice(0, most);
}

/** The `count` pairs that move directions most: a long vector in many texts. In the order in which they came. */
export function tellingPairs(
  pairs: readonly TermPair[],
  lengthOf: (pair: number) => number,
  count: number,
): readonly TermPair[] {
  const moved = pairs.map((pair, number) => ({ pair, number, by: pair.texts * lengthOf(number) ** 2 }));
  const most = moved.sort((a, b) => b.by - a.by || a.number - b.number).slice(0, count);
  return most.sort((a, b) => a.number - b.number).map(({ pair }) => pair);
}

export function numbersOf(pairs: readonly TermPair[]): PairNumbers {
  const numbers = new Map<number, Map<number, number>>();
  pairs.forEach(({ first, second }, number) => {
    const after = numbers.get(first) ?? new Map<number, number>();
    numbers.set(first, after.set(second, number));
  });
  return numbers;
}

/** The pairs of a text that have a number, in order and as often as it says them. */
export function pairsIn(terms: Int32Array, numbers: PairNumbers): Int32Array {
  const found: number[] = [];
  eachPair(terms, (first, second) => {
    const number = numbers.get(first)?.get(second);
    if (number !== undefined) found.push(number);
  });
  return Int32Array.from(found);
}

function eachPair(terms: Int32Array, visit: (first: number, second: number) => void): void {
  for (let at = 1; at < terms.length; at += 1) visit(terms[at - 1] ?? 0, terms[at] ?? 0);
}

const byOrder = (a: TermPair, b: TermPair): number => b.texts - a.texts || a.first - b.first || a.second - b.second;
