import type { VectorTable } from '@capability-router/tool-search';
import type { Vocabulary } from './vocabulary.js';

const LARGEST_COMPONENT = 127;

/** Each row as int8 with a scale of its own, so that long vectors cost short ones no accuracy. Terms ascending. */
export function quantise(
  vectors: Float32Array,
  dimensions: number,
  { terms: named, numbers }: Pick<Vocabulary, 'terms' | 'numbers'>,
  shares: ReadonlyMap<string, number>,
): VectorTable {
  const terms = [...named].sort((a, b) => (a < b ? -1 : 1));
  const scales = new Float32Array(terms.length);
  const components = new Int8Array(terms.length * dimensions);
  terms.forEach((term, row) => {
    const from = (numbers.get(term) ?? 0) * dimensions;
    const vector = vectors.subarray(from, from + dimensions);
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = largest / LARGEST_COMPONENT;
    scales[row] = scale;
    if (scale > 0)
      components.set(
        vector.map((value) => Math.round(value / scale)),
        row * dimensions,
      );
  });
  return { dimensions, terms, scales, shares: Float32Array.from(terms, (term) => shares.get(term) ?? 0), components };
}
