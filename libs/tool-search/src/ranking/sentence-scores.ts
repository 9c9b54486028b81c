import { impactSteps, slotOf, type Segment } from '../index/segment.js';
import type { Candidate } from './lexical-scores.js';
import type { ResolvedTerm } from './resolve-terms.js';

/** Scratch space: by document of all segments its candidate, counted from 1. */
export class SentenceScorer {
  private candidateOf = new Uint16Array(0);

  /**
   * By candidate the score of the sentence that fits best: BM25F of every sentence alone, divided by its largest. At most 65,534
   * candidates.
   */
  score(
    segments: readonly Segment[],
    terms: readonly (ResolvedTerm | undefined)[],
    sentences: number,
    candidates: readonly Candidate[],
  ): Float32Array {
    const total = segments.reduce((sum, { toolIds }) => sum + toolIds.length, 0);
    if (this.candidateOf.length < total) this.candidateOf = new Uint16Array(Math.ceil(total * 1.25));
    const { candidateOf } = this;
    candidates.forEach(({ place }, index) => (candidateOf[place] = index + 1));
    const scores = Array.from({ length: sentences }, () => new Float32Array(candidates.length));
    let base = 0;
    for (const segment of segments) {
      for (const term of terms) {
        if (term === undefined || term.number === -1) continue;
        const own = scores.filter((_, sentence) => (term.sentences & (1 << sentence)) !== 0);
        this.add(segment, term, base, own);
      }
      base += segment.toolIds.length;
    }
    for (const { place } of candidates) candidateOf[place] = 0;
    return bestOf(scores, candidates.length);
  }

  private add(segment: Segment, term: ResolvedTerm, base: number, scores: readonly Float32Array[]): void {
    const slot = slotOf(segment, term.number);
    if (slot === -1) return;
    const { documents, fieldImpacts } = segment;
    const { candidateOf } = this;
    const factor = term.importance / impactSteps;
    const end = segment.offsets[slot + 1] ?? 0;
    for (let at = segment.offsets[slot] ?? 0; at < end; at += 1) {
      const candidate = candidateOf[base + (documents[at] ?? 0)] ?? 0;
      if (candidate === 0) continue;
      const score = factor * (fieldImpacts[at] ?? 0);
      for (const sentence of scores) sentence[candidate - 1] = (sentence[candidate - 1] ?? 0) + score;
    }
  }
}

function bestOf(scores: readonly Float32Array[], count: number): Float32Array {
  const best = new Float32Array(count);
  for (const sentence of scores) {
    let largest = 0;
    for (const score of sentence) if (score > largest) largest = score;
    if (largest === 0) continue;
    for (let candidate = 0; candidate < count; candidate += 1) {
      const share = (sentence[candidate] ?? 0) / largest;
      if (share > (best[candidate] ?? 0)) best[candidate] = share;
    }
  }
  return best;
}
