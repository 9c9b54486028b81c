import type { WordVectors } from '../vectors/index.js';
import type { Candidate } from './lexical-scores.js';
import type { ResolvedTerm } from './resolve-terms.js';

/** By candidate the cosine of query and tool, 0 to 1; undefined where the vectors know no word of the query. */
export function scoreVectors(
  candidates: readonly Candidate[],
  terms: readonly (ResolvedTerm | undefined)[],
  wordVectors: WordVectors,
): Float32Array | undefined {
  const known = terms.flatMap((term) => (term === undefined || term.weak ? [] : [term.term]));
  const query = wordVectors.embedText(known);
  if (query === undefined) return undefined;
  const { dimensions } = wordVectors;
  const scores = new Float32Array(candidates.length);
  candidates.forEach(({ segment, document }, index) => {
    const { vectors } = segment;
    const from = document * dimensions;
    let sum = 0;
    for (let i = 0; i < dimensions; i += 1) sum += (query[i] ?? 0) * (vectors[from + i] ?? 0);
    scores[index] = Math.min(1, Math.max(0, sum / 127));
  });
  return scores;
}
