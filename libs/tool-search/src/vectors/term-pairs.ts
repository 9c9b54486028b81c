/** Between the two terms of a pair; no term holds it. */
const SEPARATOR = ' ';

/** Most neighbours that are no pair are told by one bit of two to the power of this: some ten bits for each of ten thousand pairs. */
const GLANCE_BITS = 17;

/** Neighbours that have a vector of their own: a `credit card` points elsewhere than `credit` and `card` do together. */
export interface TermPairs {
  /** The row of a pair, by the rows of its terms in order; -1 where it has none. */
  rowOf(first: number, second: number): number;
}

/** The pairs among the terms of a table, which are two terms with a space between them. A pair of which a term has no row is none. */
export function termPairsOf(rows: ReadonlyMap<string, number>): TermPairs {
  const pairs: { readonly first: number; readonly second: number; readonly row: number }[] = [];
  for (const [term, row] of rows) {
    const between = term.indexOf(SEPARATOR);
    if (between === -1) continue;
    const [first, second] = [rows.get(term.slice(0, between)), rows.get(term.slice(between + 1))];
    if (first !== undefined && second !== undefined) pairs.push({ first, second, row });
  }
  pairs.sort((a, b) => a.first - b.first || a.second - b.second);
  const seconds = Uint32Array.from(pairs, ({ second }) => second);
  const rowsOfPairs = Uint32Array.from(pairs, ({ row }) => row);
  /** By first term: where its pairs begin; those of the next term begin where they end. */
  const begins = new Uint32Array(rows.size + 1);
  for (const { first } of pairs) begins[first + 1] = (begins[first + 1] ?? 0) + 1;
  for (let row = 0; row < rows.size; row += 1) begins[row + 1] = (begins[row + 1] ?? 0) + (begins[row] ?? 0);

  const glance = new Uint8Array(1 << (GLANCE_BITS - 3));
  for (const { first, second } of pairs) {
    const bit = bitOf(first, second);
    glance[bit >> 3] = (glance[bit >> 3] ?? 0) | (1 << (bit & 7));
  }

  return {
    rowOf: (first, second) => {
      const bit = bitOf(first, second);
      if (((glance[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return -1;
      let low = begins[first] ?? 0;
      let high = begins[first + 1] ?? 0;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const found = seconds[middle] ?? 0;
        if (found === second) return rowsOfPairs[middle] ?? -1;
        if (found < second) low = middle + 1;
        else high = middle;
      }
      return -1;
    },
  };
}

const bitOf = (first: number, second: number): number =>
  (Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b)) >>> (32 - GLANCE_BITS);
