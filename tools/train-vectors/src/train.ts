import { documentTerms, type VectorTable } from '@capability-router/tool-search';
import { distil, type Lesson } from './model/distil.js';
import { quantise } from './model/quantise.js';
import { seededRandom } from './model/random.js';
import { sharesOf } from './model/shares.js';
import { termNumbersOf, vocabularyOf } from './model/vocabulary.js';
import type { Operation } from './sources/openapi-operations.js';
import { trainingTexts } from './sources/training-texts.js';
import type { Synset } from './sources/wordnet.js';
import type { TeachingOptions } from './teacher/ask-teacher.js';

export interface TrainingSources {
  readonly operations: readonly Operation[];
  readonly synsets: readonly Synset[];
}

/** Answers with `dimensions` numbers for each text. */
export type Teacher = (texts: readonly string[], options: TeachingOptions) => Promise<Float32Array>;

export const DIMENSIONS = 192;
export const SEED = 20_250_101;
const VOCABULARY = { minTexts: 3, size: 30_000 };
const TRAINING = { epochs: 8, learningRate: 0.05 };
/** Terms of a text that are read; the teacher reads no more of it. */
const MAX_TERMS = 80;

/**
 * The vectors: where a sentence encoder says that texts without any label point; and how common terms are among
 * operations. The same for every run in which the teacher answers the same.
 */
export async function trainVectors(
  { operations, synsets }: TrainingSources,
  teacher: Teacher,
  report: (line: string) => void,
): Promise<VectorTable> {
  const random = seededRandom(SEED);
  const texts = trainingTexts(operations, synsets, random);
  const vocabulary = vocabularyOf(
    texts.map(({ terms }) => terms),
    VOCABULARY.minTexts,
    VOCABULARY.size,
  );
  report(`${texts.length} texts, ${vocabulary.terms.length} terms`);
  const directions = await teacher(
    texts.map(({ text }) => text),
    { dimensions: DIMENSIONS, seed: SEED },
  );
  const lessons = texts.flatMap(({ terms }, at): Lesson[] => {
    const numbers = termNumbersOf(terms, vocabulary).slice(0, MAX_TERMS);
    const direction = directions.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS);
    return numbers.length === 0 ? [] : [{ terms: numbers, direction }];
  });
  const { vectors, losses } = distil(lessons, vocabulary, DIMENSIONS, TRAINING, random);
  losses.forEach((loss, epoch) => report(`epoch ${epoch + 1}: mean cosine ${(1 - loss).toFixed(4)}`));
  const shares = sharesOf(
    operations.map(({ name, summary, description, api }) =>
      [name, summary, description, api].map((text) => documentTerms(text)),
    ),
  );
  return quantise(vectors, DIMENSIONS, vocabulary, shares);
}
