import { impactSteps, slotOf, type Segment } from '../index/segment.js';
import type { Candidate } from './lexical-scores.js';
import type { ResolvedTerm } from './resolve-terms.js';

/** By candidate. */
export interface SentenceScores {
  /** The score of the sentence that fits best, and in `mean` that over all: each sentence divided by its largest score. */
  readonly best: Float32Array;
  readonly mean: Float32Array;
}

/** Scratch space: by document of all segments its candidate, counted from 1. */
export class SentenceScorer {
  private candidateOf = new Uint16Array(0);

  /** BM25F of every sentence alone. At most 65,534 candidates. */
  score(
    segments: readonly Segment[],
    terms: readonly (ResolvedTerm | undefined)[],
    sentences: number,
    candidates: readonly Candidate[],
  ): SentenceScores {
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
    return summarise(scores, candidates.length);
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

function summarise(scores: readonly Float32Array[], count: number): SentenceScores {
  const best = new Float32Array(count);
  const mean = new Float32Array(count);
  for (const sentence of scores) {
    let largest = 0;
    for (const score of sentence) if (score > largest) largest = score;
    if (largest === 0) continue;
    for (let candidate = 0; candidate < count; candidate += 1) {
      const share = (sentence[candidate] ?? 0) / largest;
      if (share > (best[candidate] ?? 0)) best[candidate] = share;
      mean[candidate] = (mean[candidate] ?? 0) + share / scores.length;
    }
  }
  return { best, mean };
}
