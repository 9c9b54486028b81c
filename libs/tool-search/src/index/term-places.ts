/** Where the postings of each term begin, for a counting sort; scratch space by term number, for one segment after the other. */
export class TermPlaces {
  /** Zero for every term but while `of` works. */
  private next = new Uint32Array(0);

  /**
   * Calls `place` with the distinct terms in order, where the postings of each begin (and, at the end, how many there are), and the same by
   * term number, which `place` may count up. `size`: of the dictionary.
   */
  of<T>(
    postings: Uint32Array,
    length: number,
    size: number,
    place: (terms: Uint32Array, offsets: Uint32Array, next: Uint32Array) => T,
  ): T {
    if (this.next.length < size) this.next = new Uint32Array(2 * size);
    const { next } = this;
    const distinct = new Uint32Array(Math.min(length, size));
    let count = 0;
    try {
      for (let at = 0; at < length; at += 1) {
        const term = postings[at] ?? 0;
        if (next[term] === 0) {
          distinct[count] = term;
          count += 1;
        }
        next[term] = (next[term] ?? 0) + 1;
      }
      const terms = distinct.slice(0, count).sort();
      const offsets = new Uint32Array(count + 1);
      let end = 0;
      for (let slot = 0; slot < count; slot += 1) {
        const term = terms[slot] ?? 0;
        offsets[slot] = end;
        end += next[term] ?? 0;
        next[term] = offsets[slot] ?? 0;
      }
      offsets[count] = end;
      return place(terms, offsets, next);
    } finally {
      for (let at = 0; at < count; at += 1) next[distinct[at] ?? 0] = 0;
    }
  }
}
