import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeVectorTable, MAX_FILE_BYTES } from './vector-file.js';
import type { VectorTable } from './vector-file.js';

/** Known terms of a text that are embedded, repetitions included; the rest is ignored. */
export const MAX_EMBEDDED_TERMS = 256;

/** Static vectors of stemmed terms, as `documentTerms` and `queryTerms` yield them. Immutable. */
export interface WordVectors {
  readonly dimensions: number;
  /** Number of terms. */
  readonly size: number;
  /** The term's components, a view of the table: not to be written to. Undefined for an unknown term. */
  vectorOf(term: string): Int8Array | undefined;
  /** How much the term tells in a query, above 0; 1 for an unknown term. */
  weightOf(term: string): number;
  /**
   * The direction of a text, of length 1: the sum of its terms' vectors, those of a query times their weights. A term
   * counts as often as it stands there, so that what a tool says in its name and again in its description counts twice.
   * Undefined when no term is known. The cosine of two texts is the dot product of theirs.
   */
  embedText(terms: readonly string[], kind?: TextKind): Float32Array | undefined;
}

export type TextKind = 'query' | 'document';

const dataFile = fileURLToPath(new URL('../../data/word-vectors.bin', import.meta.url));

let shipped: WordVectors | undefined;

/** The vectors that are shipped with this library, read once a process. Throws when the data file is missing or broken. */
export function loadWordVectors(): WordVectors {
  shipped ??= readWordVectors(dataFile);
  return shipped;
}

/** Throws when the file is missing, too large or no file of word vectors. */
export function readWordVectors(path: string): WordVectors {
  const { size } = statSync(path);
  if (size > MAX_FILE_BYTES) throw new Error(`${path}: ${size} bytes; word vectors have at most ${MAX_FILE_BYTES}`);
  return wordVectorsOf(decodeVectorTable(readFileSync(path)));
}

export function wordVectorsOf(table: VectorTable): WordVectors {
  const { dimensions, components, scales, weights } = table;
  const rows = new Map(table.terms.map((term, row) => [term, row]));
  const unknownTermWeight = 1;

  function add(sum: Float32Array, row: number, factor: number): void {
    const from = row * dimensions;
    for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] ?? 0) + factor * (components[from + i] ?? 0);
  }

  return {
    dimensions,
    size: rows.size,
    vectorOf: (term) => {
      const row = rows.get(term);
      return row === undefined ? undefined : components.subarray(row * dimensions, (row + 1) * dimensions);
    },
    weightOf: (term) => {
      const row = rows.get(term);
      return row === undefined ? unknownTermWeight : (weights[row] ?? unknownTermWeight);
    },
    embedText: (terms, kind = 'document') => {
      const sum = new Float32Array(dimensions);
      let embedded = 0;
      for (const term of terms) {
        const row = rows.get(term);
        if (row === undefined) continue;
        add(sum, row, (scales[row] ?? 0) * (kind === 'query' ? (weights[row] ?? unknownTermWeight) : 1));
        embedded += 1;
        if (embedded >= MAX_EMBEDDED_TERMS) break;
      }
      return normalised(sum);
    },
  };
}

/** In place. */
function normalised(vector: Float32Array): Float32Array | undefined {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (length === 0) return undefined;
  for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}
