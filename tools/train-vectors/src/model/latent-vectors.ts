import type { Random } from './random.js';
import type { Bag, Vocabulary } from './vocabulary.js';

/** Columns that are iterated beside those that are kept, and rounds: enough for the leading directions to settle. */
const SPARE_COLUMNS = 8;
const ROUNDS = 4;
/** Between 0 (all directions count alike) and 0.5 (as in the original matrix). */
const SINGULAR_VALUE_POWER = 0.25;
/** The length of a vector is its term's inverse frequency times this, so that the first training steps are large enough. */
const LENGTH = 0.1;

/**
 * Latent semantic analysis: the leading right singular vectors of the matrix of texts by terms (1 + ln tf, times the
 * inverse frequency, rows of length 1), by subspace iteration from a random start. Row `t` of the answer, `dimensions`
 * wide, is the vector of term `t`.
 */
export function latentVectors(
  bags: readonly Bag[],
  vocabulary: Vocabulary,
  dimensions: number,
  random: Random,
): Float32Array {
  const size = vocabulary.terms.length;
  const columns = dimensions + SPARE_COLUMNS;
  const rows = bags.filter((bag) => bag.terms.length > 0).map((bag) => weighted(bag, vocabulary));
  let basis: Float32Array = Float32Array.from({ length: size * columns }, () => random() - 0.5);
  let squares: Float64Array = new Float64Array(columns);
  for (let round = 0; round < ROUNDS; round += 1) {
    basis = multiplied(rows, basis, size, columns);
    squares = orthonormalise(basis, size, columns);
  }
  const vectors = new Float32Array(size * dimensions);
  for (let term = 0; term < size; term += 1) {
    let length = 0;
    for (let i = 0; i < dimensions; i += 1) {
      const value = (basis[term * columns + i] ?? 0) * (squares[i] ?? 0) ** SINGULAR_VALUE_POWER;
      vectors[term * dimensions + i] = value;
      length += value * value;
    }
    const factor = (LENGTH * (vocabulary.inverseFrequencies[term] ?? 0)) / (Math.sqrt(length) || 1);
    for (let i = 0; i < dimensions; i += 1)
      vectors[term * dimensions + i] = factor * (vectors[term * dimensions + i] ?? 0);
  }
  return vectors;
}

function weighted(bag: Bag, vocabulary: Vocabulary): Bag {
  const counts = bag.counts.map((count, i) => count * (vocabulary.inverseFrequencies[bag.terms[i] ?? 0] ?? 0));
  const length = Math.sqrt(counts.reduce((sum, count) => sum + count * count, 0)) || 1;
  return { terms: bag.terms, counts: counts.map((count) => count / length) };
}

/** The transposed matrix times the matrix times `basis`. */
function multiplied(rows: readonly Bag[], basis: Float32Array, size: number, columns: number): Float32Array {
  const product = new Float32Array(size * columns);
  const row = new Float32Array(columns);
  for (const { terms, counts } of rows) {
    row.fill(0);
    for (let k = 0; k < terms.length; k += 1) {
      const from = (terms[k] ?? 0) * columns;
      const count = counts[k] ?? 0;
      for (let i = 0; i < columns; i += 1) row[i] = (row[i] ?? 0) + count * (basis[from + i] ?? 0);
    }
    for (let k = 0; k < terms.length; k += 1) {
      const to = (terms[k] ?? 0) * columns;
      const count = counts[k] ?? 0;
      for (let i = 0; i < columns; i += 1) product[to + i] = (product[to + i] ?? 0) + count * (row[i] ?? 0);
    }
  }
  return product;
}

/** Gram-Schmidt in place, twice for accuracy. Returns the lengths that the columns had. */
function orthonormalise(basis: Float32Array, size: number, columns: number): Float64Array {
  const lengths = new Float64Array(columns);
  for (let column = 0; column < columns; column += 1) {
    for (let earlier = 0; earlier < 2 * column; earlier += 1) {
      const other = earlier % column;
      let dot = 0;
      for (let at = 0; at < size * columns; at += columns) dot += (basis[at + column] ?? 0) * (basis[at + other] ?? 0);
      for (let at = 0; at < size * columns; at += columns) {
        basis[at + column] = (basis[at + column] ?? 0) - dot * (basis[at + other] ?? 0);
      }
    }
    let square = 0;
    for (let at = column; at < size * columns; at += columns) square += (basis[at] ?? 0) ** 2;
    const length = Math.sqrt(square) || 1;
    lengths[column] = length;
    for (let at = column; at < size * columns; at += columns) basis[at] = (basis[at] ?? 0) / length;
  }
  return lengths;
}
