import { shuffle, type Random } from './random.js';
import type { Vocabulary } from './vocabulary.js';

/** A text as numbers of its known terms and of the pairs among them, as often as it says them, and where it is to point. */
export interface Lesson {
  readonly terms: Int32Array;
  readonly pairs: Int32Array;
  /** A vector of length 1. */
  readonly direction: Float32Array;
}

export interface DistillingOptions {
  /** Pairs that there are; they are numbered from 0. */
  readonly pairs: number;
  readonly epochs: number;
  readonly learningRate: number;
}

/** A pair begins as if it had learnt much, and so learns slowly: it adds what its terms do not say rather than taking their place. */
const FIRST_SQUARE_OF_PAIR = 0.02;
const FIRST_SQUARE_OF_TERM = 1e-8;

/**
 * Vectors of terms and, behind them, of pairs, rows of `dimensions`, the sum of which points where the teacher says that a text points. Those of terms
 * begin as the mean direction of the texts that say a term, longer for rarer terms, those of pairs as nothing. Adagrad on 1 − cosine, with one rate a
 * term, text by text. Answers with the mean loss of each epoch.
 */
export function distil(
  lessons: readonly Lesson[],
  vocabulary: Vocabulary,
  dimensions: number,
  { pairs, epochs, learningRate }: DistillingOptions,
  random: Random,
): { readonly vectors: Float32Array; readonly losses: readonly number[] } {
  const terms = vocabulary.terms.length;
  const vectors = new Float32Array((terms + pairs) * dimensions);
  vectors.set(meanDirections(lessons, vocabulary, dimensions));
  const squares = new Float32Array(terms + pairs).fill(FIRST_SQUARE_OF_TERM).fill(FIRST_SQUARE_OF_PAIR, terms);
  const order = [...lessons];
  const losses = Array.from({ length: epochs }, (_, epoch) => {
    shuffle(order, random);
    const rate = learningRate * (1 - epoch / epochs);
    let loss = 0;
    for (const { terms: said, pairs: paired, direction } of order) {
      const rows = [...said, ...paired.map((pair) => terms + pair)];
      loss += learn(rows, direction, vectors, squares, dimensions, rate);
    }
    return loss / Math.max(1, order.length);
  });
  return { vectors, losses };
}

/** A short text says more about each of its terms than a long one. */
function meanDirections(lessons: readonly Lesson[], vocabulary: Vocabulary, dimensions: number): Float32Array {
  const count = vocabulary.terms.length;
  const vectors = new Float32Array(count * dimensions);
  const weights = new Float64Array(count);
  for (const { terms, direction } of lessons) {
    const weight = 1 / terms.length ** 2;
    for (const term of new Set(terms)) {
      weights[term] = (weights[term] ?? 0) + weight;
      for (let i = 0; i < dimensions; i += 1) {
        vectors[term * dimensions + i] = (vectors[term * dimensions + i] ?? 0) + weight * (direction[i] ?? 0);
      }
    }
  }
  const rarities = vocabulary.inverseFrequencies;
  const mean = rarities.reduce((sum, value) => sum + value, 0) / Math.max(1, count);
  for (let term = 0; term < count; term += 1) {
    const factor = (rarities[term] ?? 0) / mean / Math.max(weights[term] ?? 0, Number.MIN_VALUE);
    for (let i = term * dimensions; i < (term + 1) * dimensions; i += 1) vectors[i] = (vectors[i] ?? 0) * factor;
  }
  return vectors;
}

/** One step; answers with 1 − cosine before it. */
function learn(
  rows: readonly number[],
  direction: Float32Array,
  vectors: Float32Array,
  squares: Float32Array,
  dimensions: number,
  rate: number,
): number {
  const sum = new Float32Array(dimensions);
  for (const row of rows) {
    const from = row * dimensions;
    for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] ?? 0) + (vectors[from + i] ?? 0);
  }
  let square = 0;
  let dot = 0;
  for (let i = 0; i < dimensions; i += 1) {
    square += (sum[i] ?? 0) ** 2;
    dot += (sum[i] ?? 0) * (direction[i] ?? 0);
  }
  const length = Math.sqrt(square);
  if (length === 0) return 1;
  const cosine = dot / length;
  // The gradient of 1 − cosine, in place of the sum.
  let steepness = 0;
  for (let i = 0; i < dimensions; i += 1) {
    const gradient = ((cosine * (sum[i] ?? 0)) / length - (direction[i] ?? 0)) / length;
    sum[i] = gradient;
    steepness += gradient ** 2;
  }
  for (const row of rows) {
    squares[row] = (squares[row] ?? 0) + steepness / dimensions;
    const step = rate / Math.sqrt(squares[row] ?? 1);
    const from = row * dimensions;
    for (let i = 0; i < dimensions; i += 1) vectors[from + i] = (vectors[from + i] ?? 0) - step * (sum[i] ?? 0);
  }
  return 1 - cosine;
}
