import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VectorRows } from '../wasm/vector-rows.js';
import { termPairsOf } from './term-pairs.js';
import { decodeVectorTable, joinTables, MAX_FILE_BYTES, type VectorTable } from './vector-file.js';

/** Known terms of a text that are embedded, repetitions included; the rest is ignored. */
export const MAX_EMBEDDED_TERMS = 256;
/** Rows of the table that say where such a text points: its terms, and the pairs of neighbours among them. */
export const MAX_EMBEDDED_ROWS = 2 * MAX_EMBEDDED_TERMS;

/** A term that stands for what a text says in other words. */
export interface WeighedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Static vectors of stemmed terms, as `documentTerms` and `queryTerms` yield them, and of pairs of neighbours. Immutable. */
export interface WordVectors {
  readonly dimensions: number;
  /** Number of terms and pairs. */
  readonly size: number;
  /** The row of a term in the table; -1 for an unknown term. */
  rowOf(term: string): number;
  /** The row of a pair of neighbours, by the rows of its terms in order; -1 where it has none. */
  rowOfPair(first: number, second: number): number;
  /**
   * The same direction as `embedText` of a document has, from rows of the table and how often each is meant (0: not at
   * all), in steps of 1/127 from `at` on in `target`, which is zero there and stays so where no row counts. At most
   * `MAX_EMBEDDED_ROWS` rows.
   */
  writeDirection(
    rows: ArrayLike<number>,
    counts: ArrayLike<number>,
    length: number,
    target: Int8Array,
    at: number,
  ): void;
  /** The term's components, a view of the table: not to be written to. Undefined for an unknown term. */
  vectorOf(term: string): Int8Array | undefined;
  /** The cosine of two rows of the table; 0 where one of them has no direction. */
  cosineOf(first: number, second: number): number;
  /** How much of the text about tools holds the term, 0 to 1; 0 for an unknown term. */
  shareOf(term: string): number;
  /**
   * The direction of a text, of length 1: the sum of the vectors of its terms and of the pairs of neighbours among those that are known. A
   * term counts as often as it stands there, so that what a tool says in its name and again in its description counts twice. Undefined when
   * no term is known. The cosine of two texts is the dot product of theirs. `beside`: terms that are nobody's neighbours.
   */
  embedText(terms: readonly string[], beside?: readonly WeighedTerm[]): Float32Array | undefined;
}

/** The step that stands for 1 in the direction of a document. */
const DIRECTION_STEPS = 127;
const ROUNDED_FROM = 128;
const ROUNDING = ROUNDED_FROM + 0.5;

const dataFile = (name: string): string => fileURLToPath(new URL(`../../data/${name}`, import.meta.url));
const englishFile = dataFile('word-vectors.bin');
/** In the same space. */
const chineseFile = dataFile('chinese-vectors.bin');

let shipped: WordVectors | undefined;

/** The vectors that are shipped with this library, read once a process. Throws when a data file is missing or broken. */
export function loadWordVectors(): WordVectors {
  shipped ??= readWordVectors(englishFile, chineseFile);
  return shipped;
}

/** Those of English terms alone, by which the Chinese ones are learnt. */
export function loadEnglishVectors(): WordVectors {
  return readWordVectors(englishFile);
}

/** The terms of all files. Throws when a file is missing, too large, no file of word vectors or of other dimensions than the first. */
export function readWordVectors(...paths: readonly string[]): WordVectors {
  const tables = paths.map((path) => {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES) throw new Error(`${path}: ${size} bytes; word vectors have at most ${MAX_FILE_BYTES}`);
    return decodeVectorTable(readFileSync(path));
  });
  return wordVectorsOf(joinTables(tables));
}

export function wordVectorsOf(table: VectorTable): WordVectors {
  const { dimensions, scales, shares } = table;
  const rows = new Map(table.terms.map((term, row) => [term, row]));
  const pairs = termPairsOf(rows);
  const components = new VectorRows(dimensions, table.components);

  /** Lengths of the rows as they stand in the table; 0 for one that nobody asked for yet. */
  const lengths = new Float32Array(rows.size);
  function lengthOf(row: number): number {
    const known = lengths[row] ?? 0;
    if (known !== 0) return known;
    lengths[row] = Math.sqrt(components.dot(row, row));
    return lengths[row] ?? 0;
  }

  /** Scratch space of `writeDirection`. */
  const factors = new Float64Array(MAX_EMBEDDED_ROWS);

  return {
    dimensions,
    size: rows.size,
    rowOf: (term) => rows.get(term) ?? -1,
    rowOfPair: pairs.rowOf,
    writeDirection: (termRows, counts, length, target, at) => {
      for (let term = 0; term < length; term += 1)
        factors[term] = (scales[termRows[term] ?? 0] ?? 0) * (counts[term] ?? 0);
      const sums = components.sum(termRows, factors, length);
      let square = 0;
      for (let i = 0; i < dimensions; i += 1) square += (sums[i] ?? 0) * (sums[i] ?? 0);
      if (square === 0) return;
      const steps = DIRECTION_STEPS / Math.sqrt(square);
      // Rounded as Math.round does, which is slow here: what is cut is above 0.
      for (let i = 0; i < dimensions; i += 1) {
        target[at + i] = (((sums[i] ?? 0) * steps + ROUNDING) | 0) - ROUNDED_FROM;
      }
    },
    vectorOf: (term) => {
      const row = rows.get(term);
      return row === undefined ? undefined : components.row(row);
    },
    cosineOf: (first, second) => {
      const product = lengthOf(first) * lengthOf(second);
      return product === 0 ? 0 : components.dot(first, second) / product;
    },
    shareOf: (term) => shares[rows.get(term) ?? -1] ?? 0,
    embedText: (terms, beside = []) => {
      const sum = new Float32Array(dimensions);
      const add = (row: number, weight: number): void => {
        const factor = (scales[row] ?? 0) * weight;
        const vector = components.row(row);
        for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] ?? 0) + factor * (vector[i] ?? 0);
      };
      let room = MAX_EMBEDDED_TERMS;
      const read = (term: string, weight: number): number | undefined => {
        const row = rows.get(term);
        if (row === undefined || room === 0) return undefined;
        room -= 1;
        add(row, weight);
        return row;
      };
      let previous: number | undefined;
      for (const term of terms) {
        const row = read(term, 1);
        if (row === undefined) continue;
        const pair = previous === undefined ? -1 : pairs.rowOf(previous, row);
        if (pair !== -1) add(pair, 1);
        previous = row;
      }
      for (const { term, weight } of beside) read(term, weight);
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
