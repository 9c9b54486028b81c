import { documentTerms } from '@capability-router/tool-search';
import type { VectorTable } from '@capability-router/tool-search';
import { trainContrastively } from './model/contrastive-training.js';
import type { TextPair } from './model/contrastive-training.js';
import { latentVectors } from './model/latent-vectors.js';
import { quantise } from './model/quantise.js';
import { queryWeights } from './model/query-weights.js';
import type { JudgedQuery } from './model/query-weights.js';
import { seededRandom } from './model/random.js';
import { bagOf, vocabularyOf } from './model/vocabulary.js';
import type { Terms, Vocabulary } from './model/vocabulary.js';
import { originOf } from './sources/labelled-queries.js';
import type { LabelledData, LabelledTool } from './sources/labelled-queries.js';
import type { Operation } from './sources/openapi-operations.js';
import type { Synset } from './sources/wordnet.js';

export interface TrainingText {
  readonly operations: readonly Operation[];
  readonly synsets: readonly Synset[];
  readonly labelled: LabelledData;
}

export interface TrainedVectors {
  readonly vectors: Float32Array;
  readonly vocabulary: Vocabulary;
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

/** The vectors, from text without any label: operations and dictionary entries. The same for every run. */
export function trainVectors(
  { operations, synsets, labelled }: TrainingText,
  report: (line: string) => void,
): TrainedVectors {
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
  // Labelled text only says which terms are common enough to have a vector.
  const counted = [
    ...texts,
    ...labelled.tools.map(toolTerms),
    ...labelled.queries.map(({ text }) => documentTerms(text)),
  ];
  const vocabulary = vocabularyOf(counted, VOCABULARY.minTexts, VOCABULARY.size);
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
  return { vectors, vocabulary };
}

/** The query weights from the labelled queries of `origins`, and all of it in whole numbers. */
export function withQueryWeights(
  { vectors, vocabulary }: TrainedVectors,
  labelled: LabelledData,
  origins: (origin: string) => boolean,
): { table: VectorTable; weights: ReadonlyMap<string, number> } {
  const documents = new Map(labelled.tools.map((tool) => [tool.id, new Set(toolTerms(tool))]));
  const judged = labelled.queries
    .filter(({ source }) => origins(originOf(source)))
    .map(({ source, text, relevant }): JudgedQuery => ({
      origin: originOf(source),
      terms: new Set(documentTerms(text)),
      relevant: relevant.flatMap((id) => documents.get(id) ?? []),
    }));
  const weights = queryWeights(judged, [...documents.values()]);
  return { table: quantise(vectors, DIMENSIONS, vocabulary, weights), weights };
}

function toolTerms(tool: LabelledTool): string[] {
  const params = tool.params.map(({ name, description }) => `${name} ${description ?? ''}`);
  const texts = [tool.name, tool.description, tool.provider ?? '', tool.provider_description ?? ''];
  return documentTerms([...texts, ...(tool.categories ?? []), ...params].join('\n'));
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
