import { documentTerms, type VectorTable } from '@capability-router/tool-search';
import { trainContrastively, type TextPair } from './model/contrastive-training.js';
import { latentVectors } from './model/latent-vectors.js';
import { quantise } from './model/quantise.js';
import { sharesOf } from './model/shares.js';
import { seededRandom } from './model/random.js';
import { bagOf, vocabularyOf, type Terms } from './model/vocabulary.js';
import type { Operation } from './sources/openapi-operations.js';
import type { Synset } from './sources/wordnet.js';

export interface TrainingText {
  readonly operations: readonly Operation[];
  readonly synsets: readonly Synset[];
}

export const DIMENSIONS = 160;
const SEED = 20_250_101;
const VOCABULARY = { minTexts: 4, size: 30_000 };
const TRAINING = { epochs: 2, batchSize: 256, learningRate: 0.05, sharpness: 12 };
/** Terms of a long text that are read. */
const MAX_DESCRIPTION_TERMS = 80;
const MAX_PARAMETER_TERMS = 60;
/** Distinct known terms that each side of a pair needs to be worth learning from. */
const LEAST = { summary: 2, description: 4, gloss: 3, name: 1 };

/**
 * The vectors, from text without any label: operations and dictionary entries; and how common terms are among
 * operations. The same for every run.
 */
export function trainVectors({ operations, synsets }: TrainingText, report: (line: string) => void): VectorTable {
  const random = seededRandom(SEED);
  const apis = operations.map(termsOfOperation);
  const meanings = synsets.map(({ words, gloss }) => ({ words: documentTerms(words), gloss: documentTerms(gloss) }));
  const texts: Terms[] = [
    ...apis.map(({ name, summary, description, api, parameters }) => [
      ...name,
      ...summary,
      ...description,
      ...api,
      ...parameters,
    ]),
    ...meanings.map(({ words, gloss }) => [...words, ...gloss]),
  ];
  const vocabulary = vocabularyOf(texts, VOCABULARY.minTexts, VOCABULARY.size);
  report(`${texts.length} texts, ${vocabulary.terms.length} terms`);
  const bag = (terms: Terms): TextPair['text'] => bagOf(terms, vocabulary);
  const vectors = latentVectors(texts.map(bag), vocabulary, DIMENSIONS, random);
  const pairs: TextPair[] = [];
  const pair = (text: Terms, leastOfText: number, partner: Terms, leastOfPartner: number): void => {
    const [first, second] = [bag(text), bag(partner)];
    if (first.terms.length >= leastOfText && second.terms.length >= leastOfPartner)
      pairs.push({ text: first, partner: second });
  };
  for (const { name, summary, description, parameters } of apis) {
    const long = [...description, ...parameters];
    pair(summary, LEAST.summary, long, LEAST.description);
    pair(long, LEAST.description, name, LEAST.name);
  }
  for (const { words, gloss } of meanings) pair(gloss, LEAST.gloss, words, LEAST.name);
  report(`${pairs.length} pairs`);
  trainContrastively(vectors, DIMENSIONS, pairs, TRAINING, random).forEach((loss, epoch) => {
    report(`epoch ${epoch + 1}: loss ${loss.toFixed(4)}`);
  });
  const shares = sharesOf(apis.map(({ name, summary, description, api }) => [name, summary, description, api]));
  return quantise(vectors, DIMENSIONS, vocabulary, shares);
}

function termsOfOperation(operation: Operation): Record<keyof Operation, Terms> {
  return {
    api: documentTerms(operation.api),
    name: documentTerms(operation.name),
    summary: documentTerms(operation.summary),
    description: documentTerms(operation.description).slice(0, MAX_DESCRIPTION_TERMS),
    parameters: documentTerms(operation.parameters).slice(0, MAX_PARAMETER_TERMS),
  };
}
