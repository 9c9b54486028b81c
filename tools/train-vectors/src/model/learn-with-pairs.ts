import { distil, type Lesson } from './distil.js';
import type { Random } from './random.js';
import { numbersOf, pairsIn, pairsOf, tellingPairs, type TermPair } from './term-pairs.js';
import type { Vocabulary } from './vocabulary.js';

const TRAINING = { epochs: 8, learningRate: 0.05 };
/** All pairs that so many texts hold are learnt, and then those alone that tell most. */
const PAIRS = { minTexts: 5, most: 40_000, kept: 12_000 };
/** A pair counts a little less than it learnt to: a text means what its words say, too. */
const PAIR_WEIGHT = 0.75;

export interface LearntVectors {
  /** Rows of `dimensions`: of the terms by number, and behind them of the pairs. */
  readonly vectors: Float32Array;
  readonly pairs: readonly TermPair[];
}

/** Vectors of terms and of pairs of neighbours, from texts that point somewhere. */
export function learnWithPairs(
  texts: readonly Omit<Lesson, 'pairs'>[],
  vocabulary: Vocabulary,
  dimensions: number,
  random: Random,
  report: (line: string) => void,
): LearntVectors {
  const learn = (pairs: readonly TermPair[]): Float32Array => {
    const numbers = numbersOf(pairs);
    const lessons = texts.map((text): Lesson => ({ ...text, pairs: pairsIn(text.terms, numbers) }));
    const options = { ...TRAINING, pairs: pairs.length };
    const { vectors, losses } = distil(lessons, vocabulary, dimensions, options, random);
    losses.forEach((loss, epoch) => report(`epoch ${epoch + 1}: mean cosine ${(1 - loss).toFixed(4)}`));
    return vectors;
  };
  const read = texts.map(({ terms }) => terms);
  const candidates = pairsOf(read, PAIRS.minTexts, PAIRS.most);
  report(`${candidates.length} pairs of terms`);
  const first = learn(candidates);
  const firstPair = vocabulary.terms.length;
  const lengthOf = (pair: number): number => {
    const from = (firstPair + pair) * dimensions;
    return Math.hypot(...first.subarray(from, from + dimensions));
  };
  const pairs = tellingPairs(candidates, lengthOf, PAIRS.kept);
  report(`${pairs.length} of them are kept`);
  const vectors = learn(pairs).map((value, at) => (at < firstPair * dimensions ? value : PAIR_WEIGHT * value));
  return { vectors, pairs };
}
