import { describe, expect, it } from '@jest/globals';
import { wordVectorsOf } from '@capability-router/tool-search';
import { distil } from './distil.js';
import { quantise } from './quantise.js';
import { seededRandom, shuffle } from './random.js';
import { termNumbersOf, vocabularyOf, type Terms } from './vocabulary.js';

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

/** A teacher for whom every topic is a direction of its own; each text has a word of another one too. */
function learnt(): { vectors: Float32Array; vocabulary: ReturnType<typeof vocabularyOf>; losses: readonly number[] } {
  const texts = textsOf(1, 400);
  const vocabulary = vocabularyOf(texts, 2, 100);
  const lessons = texts.map((terms, at) => {
    const direction = new Float32Array(DIMENSIONS);
    direction[at % topics.length] = 1;
    const [stray = ''] = topics[(at + 1) % topics.length] ?? [];
    return { terms: termNumbersOf([...terms, stray], vocabulary), direction };
  });
  const options = { epochs: 4, learningRate: 0.05 };
  return { ...distil(lessons, vocabulary, DIMENSIONS, options, seededRandom(2)), vocabulary };
}

describe('learning from a teacher', () => {
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

  it('turns a text into its known terms, as often as it says them', () => {
    expect([...termNumbersOf(['b', 'x', 'b', 'c'], vocabularyOf([['b', 'c']], 1, 10))]).toEqual([0, 0, 1]);
  });
});
