import { describe, expect, it } from '@jest/globals';
import { wordVectorsOf } from '@capability-router/tool-search';
import { trainContrastively } from './contrastive-training.js';
import { latentVectors } from './latent-vectors.js';
import { quantise } from './quantise.js';
import { seededRandom, shuffle } from './random.js';
import { bagOf, vocabularyOf, type Terms } from './vocabulary.js';

const DIMENSIONS = 8;
const topics: readonly (readonly string[])[] = [
  ['rain', 'weather', 'forecast', 'cloud', 'wind'],
  ['pay', 'invoice', 'bill', 'refund', 'charge'],
  ['song', 'music', 'album', 'artist', 'track'],
  ['flight', 'hotel', 'trip', 'airport', 'visa'],
];

/** Short texts of one topic each. */
function textsOf(seed: number, count: number): Terms[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => shuffle([...(topics[i % topics.length] ?? [])], random).slice(0, 3));
}

function learnt(): { vectors: Float32Array; vocabulary: ReturnType<typeof vocabularyOf>; losses: number[] } {
  const texts = textsOf(1, 400);
  const vocabulary = vocabularyOf(texts, 2, 100);
  const random = seededRandom(2);
  const bags = texts.map((text) => bagOf(text, vocabulary));
  const vectors = latentVectors(bags, vocabulary, DIMENSIONS, random);
  const pairs = textsOf(3, 400).map((text) => ({
    text: bagOf(text.slice(0, 2), vocabulary),
    partner: bagOf(text.slice(2), vocabulary),
  }));
  const options = { epochs: 4, batchSize: 16, learningRate: 0.05, sharpness: 6 };
  return { vectors, vocabulary, losses: trainContrastively(vectors, DIMENSIONS, pairs, options, random) };
}

describe('learning from texts', () => {
  const { vectors, vocabulary, losses } = learnt();
  const shipped = wordVectorsOf(quantise(vectors, DIMENSIONS, vocabulary, new Map([['rain', 0.25]])));
  const cosine = (a: Terms, b: Terms): number => {
    const [x, y] = [shipped.embedText(a), shipped.embedText(b)];
    return x?.reduce((sum, value, i) => sum + value * (y?.[i] ?? 0), 0) ?? Number.NaN;
  };

  it('brings words of one topic together, and those of others apart', () => {
    for (const [number, topic] of topics.entries()) {
      const [first = '', second = '', ...rest] = topic;
      const other = topics[(number + 1) % topics.length] ?? [];
      expect(cosine([first], [second])).toBeGreaterThan(0.6);
      expect(cosine([first, second], rest)).toBeGreaterThan(cosine([first, second], other) + 0.5);
    }
  });

  it('loses less from epoch to epoch', () => {
    expect(losses).toHaveLength(4);
    expect(losses[3]).toBeLessThan(losses[0] ?? 0);
  });

  it('learns the same every time', () => {
    expect(learnt().vectors).toEqual(vectors);
  });

  it('keeps the direction of a vector to within 1 % in whole numbers, and the shares by term', () => {
    for (const term of vocabulary.terms) {
      const from = (vocabulary.numbers.get(term) ?? 0) * DIMENSIONS;
      const exact = vectors.subarray(from, from + DIMENSIONS);
      const length = Math.hypot(...exact);
      const dot = exact.reduce((sum, value, i) => sum + value * (shipped.embedText([term])?.[i] ?? 0), 0);
      expect(dot / length).toBeGreaterThan(0.99);
    }
    expect([shipped.shareOf('rain'), shipped.shareOf('pay')]).toEqual([0.25, 0]);
  });
});

describe('a vocabulary', () => {
  it('holds the most frequent words, none that is rare, a number or of another script', () => {
    const texts = [['b', 'a', 'a'], ['b', 'c', '42', '天气'], ['b', 'c', '42', '天气'], ['rare']];
    const vocabulary = vocabularyOf(texts, 2, 10);
    expect(vocabulary.terms).toEqual(['b', 'c']);
    expect(vocabulary.inverseFrequencies[1]).toBeCloseTo(Math.log(2), 10);
    expect(vocabularyOf(texts, 1, 1).terms).toEqual(['b']);
  });

  it('turns a text into its known terms with damped counts', () => {
    const bag = bagOf(['b', 'x', 'b', 'c'], vocabularyOf([['b', 'c']], 1, 10));
    expect([...bag.terms]).toEqual([0, 1]);
    expect([...bag.counts]).toEqual([Math.fround(1 + Math.log(2)), 1]);
  });
});
