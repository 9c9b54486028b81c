import { documentTerms, type VectorTable } from '@capability-router/tool-search';
import { learnWithPairs } from './model/learn-with-pairs.js';
import { quantise } from './model/quantise.js';
import { seededRandom } from './model/random.js';
import { sharesOf } from './model/shares.js';
import type { TermPair } from './model/term-pairs.js';
import { termNumbersOf, vocabularyOf, type Vocabulary } from './model/vocabulary.js';
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
  const lessons = texts.flatMap(({ terms }, at) => {
    const numbers = termNumbersOf(terms, vocabulary).slice(0, MAX_TERMS);
    const direction = directions.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS);
    return numbers.length === 0 ? [] : [{ terms: numbers, direction }];
  });
  const { vectors, pairs } = learnWithPairs(lessons, vocabulary, DIMENSIONS, random, report);
  const shares = sharesOf(
    operations.map(({ name, summary, description, api }) =>
      [name, summary, description, api].map((text) => documentTerms(text)),
    ),
  );
  const terms = [...vocabulary.terms, ...pairs.map((pair) => nameOf(pair, vocabulary))];
  const numbers = new Map(terms.map((term, number) => [term, number]));
  return quantise(vectors, DIMENSIONS, { terms, numbers }, shares);
}

/** As the engine looks pairs up. */
const nameOf = ({ first, second }: TermPair, { terms }: Vocabulary): string => `${terms[first]} ${terms[second]}`;
