import type { Segment } from '../index/segment.js';
import { SIGN_WORDS, SIGNED_DIMENSIONS, signsOf } from '../index/signs.js';

export interface NearMeaning {
  readonly segment: Segment;
  readonly document: number;
  /** Place in the arrays of the lexical scores. */
  readonly place: number;
}

/** Counts the set bits of each four of a 32-bit word, in four bits each. */
function bitsByFours(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  return (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
}

/** Adds up two of what `bitsByFours` gives, in eight bits each; the sums of two words fit into four bits. */
function byEights(fours: number): number {
  return (fours & 0x0f_0f_0f_0f) + ((fours >>> 4) & 0x0f_0f_0f_0f);
}

/**
 * Finds the documents whose direction is likely to be near that of a query: those that differ from it in the fewest signs.
 * A glance of some nanoseconds at each document, so that a tool that shares no word with the query is found as well.
 */
export class NearestMeanings {
  /** By place: signs that differ. */
  private differences = new Uint16Array(0);
  private readonly counts = new Uint32Array(SIGNED_DIMENSIONS + 1);

  /** The about `limit` nearest, never more; fewer only where there are no more. Ties go by place. */
  find(segments: readonly Segment[], query: Float32Array, limit: number): NearMeaning[] {
    const dimensions = query.length;
    const total = segments.reduce((sum, { toolIds }) => sum + toolIds.length, 0);
    if (this.differences.length < total) this.differences = new Uint16Array(Math.ceil(total * 1.25));
    this.counts.fill(0);
    const signs = signsOf(query, dimensions);
    let base = 0;
    for (const segment of segments) {
      this.count(segment, signs, base);
      base += segment.toolIds.length;
    }
    let least = 0;
    let seen = 0;
    while (least < this.counts.length && seen + (this.counts[least] ?? 0) <= limit) {
      seen += this.counts[least] ?? 0;
      least += 1;
    }
    return this.collect(segments, least, limit);
  }

  private count(
    { live, signs }: Segment,
    [first = 0, second = 0, third = 0, fourth = 0]: Uint32Array,
    base: number,
  ): void {
    const { differences, counts } = this;
    let at = 0;
    for (let document = 0; document < live.length; document += 1) {
      const half = byEights(bitsByFours((signs[at] ?? 0) ^ first) + bitsByFours((signs[at + 1] ?? 0) ^ second));
      const rest = byEights(bitsByFours((signs[at + 2] ?? 0) ^ third) + bitsByFours((signs[at + 3] ?? 0) ^ fourth));
      // At most 128, so that the sum of the four eights fits into the highest.
      const difference = Math.imul(half + rest, 0x01_01_01_01) >>> 24;
      at += SIGN_WORDS;
      differences[base + document] = difference;
      if (live[document] === 1) counts[difference] = (counts[difference] ?? 0) + 1;
    }
  }

  /** Those that differ in fewer than `least` signs, and of those that differ in as many the first, up to `limit`. */
  private collect(segments: readonly Segment[], least: number, limit: number): NearMeaning[] {
    const { differences } = this;
    const found: NearMeaning[] = [];
    const tied: NearMeaning[] = [];
    let base = 0;
    for (const segment of segments) {
      const { live } = segment;
      for (let document = 0; document < live.length; document += 1) {
        const place = base + document;
        const difference = differences[place] ?? 0;
        if (difference > least || live[document] === 0) continue;
        if (difference < least) found.push({ segment, document, place });
        else if (tied.length < limit) tied.push({ segment, document, place });
      }
      base += live.length;
    }
    return [...found, ...tied.slice(0, Math.max(0, limit - found.length))];
  }
}
