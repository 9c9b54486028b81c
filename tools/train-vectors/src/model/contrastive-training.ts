import { shuffle, type Random } from './random.js';
import type { Bag } from './vocabulary.js';

/** Two texts that say the same in other words: the first has to find the second among all those of its batch. */
export interface TextPair {
  readonly text: Bag;
  readonly partner: Bag;
}

export interface TrainingOptions {
  readonly epochs: number;
  /** Pairs; every other pair of the batch is a wrong answer for each of its texts. */
  readonly batchSize: number;
  readonly learningRate: number;
  /** A cosine is multiplied by this before the softmax. */
  readonly sharpness: number;
}

interface Embedded {
  readonly bags: readonly Bag[];
  /** Unit vectors, one after the other, and the lengths that they had. */
  readonly directions: Float32Array;
  readonly lengths: Float32Array;
  readonly gradients: Float32Array;
}

/**
 * Changes `vectors` (rows of `dimensions`) so that the sum of a text's vectors points where its partner's does and
 * nowhere else: softmax over the batch, Adagrad with one rate a term. Answers with the mean loss of each epoch.
 */
export function trainContrastively(
  vectors: Float32Array,
  dimensions: number,
  pairs: readonly TextPair[],
  options: TrainingOptions,
  random: Random,
): number[] {
  const squares = new Float32Array(vectors.length / dimensions).fill(1e-8);
  const order = [...pairs];
  return Array.from({ length: options.epochs }, () => {
    shuffle(order, random);
    let loss = 0;
    let batches = 0;
    for (let from = 0; from + options.batchSize <= order.length; from += options.batchSize) {
      loss += trainBatch(vectors, dimensions, order.slice(from, from + options.batchSize), options, squares);
      batches += 1;
    }
    return loss / Math.max(1, batches);
  });
}

function trainBatch(
  vectors: Float32Array,
  dimensions: number,
  batch: readonly TextPair[],
  { sharpness, learningRate }: TrainingOptions,
  squares: Float32Array,
): number {
  const texts = embed(
    vectors,
    dimensions,
    batch.map(({ text }) => text),
  );
  const partners = embed(
    vectors,
    dimensions,
    batch.map(({ partner }) => partner),
  );
  const loss = softmaxGradients(texts, partners, dimensions, sharpness);
  const gradients = new Map<number, Float32Array>();
  collectGradients(texts, dimensions, gradients);
  collectGradients(partners, dimensions, gradients);
  for (const [term, gradient] of gradients) {
    let square = 0;
    for (let i = 0; i < dimensions; i += 1) square += (gradient[i] ?? 0) ** 2;
    squares[term] = (squares[term] ?? 0) + square / dimensions;
    const step = learningRate / Math.sqrt(squares[term] ?? 1);
    const from = term * dimensions;
    for (let i = 0; i < dimensions; i += 1) vectors[from + i] = (vectors[from + i] ?? 0) - step * (gradient[i] ?? 0);
  }
  return loss;
}

function embed(vectors: Float32Array, dimensions: number, bags: readonly Bag[]): Embedded {
  const directions = new Float32Array(bags.length * dimensions);
  const lengths = new Float32Array(bags.length);
  bags.forEach(({ terms, counts }, bag) => {
    const sum = directions.subarray(bag * dimensions, (bag + 1) * dimensions);
    for (let k = 0; k < terms.length; k += 1) {
      const from = (terms[k] ?? 0) * dimensions;
      const count = counts[k] ?? 0;
      for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] ?? 0) + count * (vectors[from + i] ?? 0);
    }
    let square = 0;
    for (let i = 0; i < dimensions; i += 1) square += (sum[i] ?? 0) ** 2;
    const length = Math.sqrt(square);
    lengths[bag] = length;
    if (length > 0) for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] ?? 0) / length;
  });
  return { bags, directions, lengths, gradients: new Float32Array(directions.length) };
}

/** Fills both `gradients` (by direction) and returns the mean loss. */
function softmaxGradients(texts: Embedded, partners: Embedded, dimensions: number, sharpness: number): number {
  const count = texts.bags.length;
  const shares = new Float32Array(count);
  /** A share that moves nothing; most are below. */
  const negligible = 1e-6;
  let loss = 0;
  for (let text = 0; text < count; text += 1) {
    const at = text * dimensions;
    let largest = -Infinity;
    for (let partner = 0; partner < count; partner += 1) {
      const other = partner * dimensions;
      let dot = 0;
      for (let i = 0; i < dimensions; i += 1) {
        dot += (texts.directions[at + i] ?? 0) * (partners.directions[other + i] ?? 0);
      }
      shares[partner] = sharpness * dot;
      largest = Math.max(largest, sharpness * dot);
    }
    let total = 0;
    for (let partner = 0; partner < count; partner += 1) {
      shares[partner] = Math.exp((shares[partner] ?? 0) - largest);
      total += shares[partner] ?? 0;
    }
    loss -= Math.log((shares[text] ?? 0) / total + 1e-12);
    for (let partner = 0; partner < count; partner += 1) {
      const share = (((shares[partner] ?? 0) / total - (partner === text ? 1 : 0)) * sharpness) / count;
      if (Math.abs(share) < negligible) continue;
      const other = partner * dimensions;
      for (let i = 0; i < dimensions; i += 1) {
        texts.gradients[at + i] = (texts.gradients[at + i] ?? 0) + share * (partners.directions[other + i] ?? 0);
        partners.gradients[other + i] = (partners.gradients[other + i] ?? 0) + share * (texts.directions[at + i] ?? 0);
      }
    }
  }
  return loss / count;
}

/** From the gradient by direction to the one by term: what points along the direction only changes its length. */
function collectGradients(embedded: Embedded, dimensions: number, gradients: Map<number, Float32Array>): void {
  const across = new Float32Array(dimensions);
  embedded.bags.forEach(({ terms, counts }, bag) => {
    const length = embedded.lengths[bag] ?? 0;
    if (length === 0) return;
    const at = bag * dimensions;
    let along = 0;
    for (let i = 0; i < dimensions; i += 1)
      along += (embedded.gradients[at + i] ?? 0) * (embedded.directions[at + i] ?? 0);
    for (let i = 0; i < dimensions; i += 1) {
      across[i] = ((embedded.gradients[at + i] ?? 0) - along * (embedded.directions[at + i] ?? 0)) / length;
    }
    for (let k = 0; k < terms.length; k += 1) {
      const term = terms[k] ?? 0;
      const count = counts[k] ?? 0;
      let sum = gradients.get(term);
      if (sum === undefined) gradients.set(term, (sum = new Float32Array(dimensions)));
      for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] ?? 0) + count * (across[i] ?? 0);
    }
  });
}
