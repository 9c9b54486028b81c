import { impactSteps, slotOf, type Segment } from '../index/segment.js';
import type { ResolvedTerm } from './resolve-terms.js';

/** Steps in which scores are counted to find the best ones without sorting all. */
const BUCKETS = 4_096;
/** Times the limit: candidates at most, where very many tools score the same. */
const MAX_OVERSHOOT = 4;

export interface Candidate {
  readonly segment: Segment;
  readonly document: number;
  /** Place in the arrays of the scores. */
  readonly place: number;
  /** Parts of the score, each divided by the largest of the query: 0 to 1. */
  readonly fields: number;
  readonly plain: number;
}

/** Scratch space of one search after the other: dense scores of all documents of all segments. */
export class LexicalScores {
  /** BM25F and BM25 of a document side by side: they are always needed together. */
  private pairs = new Float32Array(0);
  /** By document that was found. */
  private combined = new Float32Array(0);
  private strong = new Uint8Array(0);
  /** Places of the documents that were found, ascending. */
  private found = new Uint32Array(0);
  private foundCount = 0;
  private readonly buckets = new Uint32Array(BUCKETS + 1);
  private largest = { fields: 0, plain: 0 };

  /**
   * The about `limit` best documents (never more than four times as many, where that many score the same) by `fieldWeight` × BM25F + `plainWeight` × BM25, in no order. `bestFields`: the
   * largest BM25F of the query.
   */
  candidates(
    segments: readonly Segment[],
    terms: readonly (ResolvedTerm | undefined)[],
    weights: { readonly fields: number; readonly plain: number },
    limit: number,
  ): { readonly candidates: readonly Candidate[]; readonly bestFields: number } {
    const total = segments.reduce((sum, { toolIds }) => sum + toolIds.length, 0);
    this.clear(total);
    let base = 0;
    for (const segment of segments) {
      for (const term of terms) if (term !== undefined && term.number !== -1) this.accumulate(segment, term, base);
      base += segment.toolIds.length;
    }
    const { bestFields, bestPlain } = this.best(segments);
    this.largest = { fields: bestFields, plain: Math.max(bestPlain, Number.MIN_VALUE) };
    if (bestFields === 0) return { candidates: [], bestFields };
    const fieldFactor = weights.fields / bestFields;
    const plainFactor = bestPlain === 0 ? 0 : weights.plain / bestPlain;
    const step = (weights.fields + weights.plain) / BUCKETS;
    const cut = this.combine(fieldFactor, plainFactor, step, limit);
    return { candidates: this.collect(segments, cut, step, MAX_OVERSHOOT * limit), bestFields };
  }

  /** A document as a candidate of the search at hand, whether its words made it one or not. */
  candidateAt(segment: Segment, document: number, place: number): Candidate {
    const { pairs, largest } = this;
    const isFound = largest.fields > 0;
    return {
      segment,
      document,
      place,
      // Where weak terms alone found it, it may have more than the best of those that count.
      fields: isFound ? Math.min(1, (pairs[2 * place] ?? 0) / largest.fields) : 0,
      plain: isFound ? Math.min(1, (pairs[2 * place + 1] ?? 0) / largest.plain) : 0,
    };
  }

  private clear(total: number): void {
    if (this.combined.length < total) {
      const length = Math.ceil(total * 1.25);
      this.pairs = new Float32Array(2 * length);
      this.combined = new Float32Array(length);
      this.strong = new Uint8Array(length);
      this.found = new Uint32Array(length);
    } else {
      this.pairs.fill(0, 0, 2 * total);
      this.strong.fill(0, 0, total);
    }
  }

  private accumulate(segment: Segment, { number, importance, weak }: ResolvedTerm, base: number): void {
    const slot = slotOf(segment, number);
    if (slot === -1) return;
    const { documents, fieldImpacts, plainImpacts } = segment;
    const { pairs, strong } = this;
    const factor = importance / impactSteps;
    const end = segment.offsets[slot + 1] ?? 0;
    for (let at = segment.offsets[slot] ?? 0; at < end; at += 1) {
      const place = base + (documents[at] ?? 0);
      pairs[2 * place] = (pairs[2 * place] ?? 0) + factor * (fieldImpacts[at] ?? 0);
      pairs[2 * place + 1] = (pairs[2 * place + 1] ?? 0) + factor * (plainImpacts[at] ?? 0);
      if (!weak) strong[place] = 1;
    }
  }

  /** Largest scores, and where they may be: not of removed documents and of such that only weak terms found. */
  private best(segments: readonly Segment[]): { readonly bestFields: number; readonly bestPlain: number } {
    const { pairs, strong, found } = this;
    let count = 0;
    let base = 0;
    for (const { live } of segments) {
      // Without a branch: whether the next document was found cannot be foreseen.
      for (let document = 0; document < live.length; document += 1) {
        found[count] = base + document;
        count += (strong[base + document] ?? 0) & (live[document] ?? 0);
      }
      base += live.length;
    }
    let bestFields = 0;
    let bestPlain = 0;
    for (let at = 0; at < count; at += 1) {
      const place = found[at] ?? 0;
      const field = pairs[2 * place] ?? 0;
      const whole = pairs[2 * place + 1] ?? 0;
      if (field > bestFields) bestFields = field;
      if (whole > bestPlain) bestPlain = whole;
    }
    this.foundCount = count;
    return { bestFields, bestPlain };
  }

  /** The bucket from which the best `limit` begin; where they are all in one, that one. */
  private combine(fieldFactor: number, plainFactor: number, step: number, limit: number): number {
    const { pairs, combined, buckets, found, foundCount } = this;
    const bucketsPerScore = 1 / step;
    buckets.fill(0);
    for (let at = 0; at < foundCount; at += 1) {
      const place = found[at] ?? 0;
      combined[at] = fieldFactor * (pairs[2 * place] ?? 0) + plainFactor * (pairs[2 * place + 1] ?? 0);
      // From the stored value, which is rounded, so that collecting counts as this does.
      const bucket = ((combined[at] ?? 0) * bucketsPerScore) | 0;
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    let seen = 0;
    for (let bucket = BUCKETS; bucket > 0; bucket -= 1) {
      const more = buckets[bucket] ?? 0;
      if (seen > 0 && seen + more > limit) return bucket + 1;
      seen += more;
    }
    return 0;
  }

  private collect(segments: readonly Segment[], cut: number, step: number, most: number): Candidate[] {
    const { combined, found, foundCount } = this;
    const bucketsPerScore = 1 / step;
    const collected: Candidate[] = [];
    let part = 0;
    let base = 0;
    for (let at = 0; at < foundCount && collected.length < most; at += 1) {
      if ((((combined[at] ?? 0) * bucketsPerScore) | 0) < cut) continue;
      const place = found[at] ?? 0;
      let segment = segments[part];
      while (segment !== undefined && place >= base + segment.toolIds.length) {
        base += segment.toolIds.length;
        part += 1;
        segment = segments[part];
      }
      if (segment === undefined) break;
      collected.push(this.candidateAt(segment, place - base, place));
    }
    return collected;
  }
}
