import { describe, expect, it } from '@jest/globals';
import { wordVectorsOf } from '@capability-router/tool-search';
import { distil } from './distil.js';
import { quantise } from './quantise.js';
import { seededRandom, shuffle } from './random.js';
import { numbersOf, pairsIn, pairsOf, tellingPairs } from './term-pairs.js';
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
    return { terms: termNumbersOf([...terms, stray], vocabulary), pairs: new Int32Array(0), direction };
  });
  const options = { pairs: 0, epochs: 4, learningRate: 0.05 };
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

describe('pairs of neighbours', () => {
  it('learn what the sum of their terms does not say, and leave to the terms what they say by themselves', () => {
    const vocabulary = vocabularyOf([['card'], ['credit'], ['pay']], 1, 10);
    const pair = {
      first: vocabulary.numbers.get('credit') ?? -1,
      second: vocabulary.numbers.get('card') ?? -1,
      texts: 2,
    };
    const numbers = numbersOf([pair]);
    const lesson = (text: string, direction: readonly number[]) => {
      const terms = termNumbersOf(text.split(' '), vocabulary);
      return { terms, pairs: pairsIn(terms, numbers), direction: Float32Array.from(direction) };
    };
    const alone = [lesson('credit', [1, 0, 0]), lesson('card', [0, 1, 0]), lesson('pay', [0, 0, 1])];
    const lessons = Array.from({ length: 200 }, () => [...alone, lesson('credit card', [0, 0, 1])]).flat();
    const options = { pairs: 1, epochs: 8, learningRate: 0.05 };
    const { vectors } = distil(lessons, vocabulary, 3, options, seededRandom(2));
    const terms = [...vocabulary.terms, 'credit card'];
    const table = quantise(vectors, 3, { terms, numbers: new Map(terms.map((term, at) => [term, at])) }, new Map());
    const third = (text: string): number => wordVectorsOf(table).embedText(text.split(' '))?.[2] ?? Number.NaN;
    expect(third('credit card')).toBeGreaterThan(0.9);
    expect(Math.abs(third('card credit'))).toBeLessThan(0.6);
    expect(Math.abs(third('credit'))).toBeLessThan(0.4);
  });

  it('are those that stand side by side in enough texts, the most frequent first; a term beside itself is none', () => {
    const texts = [
      [0, 1, 2],
      [0, 1, 0, 1],
      [1, 2],
      [0, 1],
      [3, 3],
      [3, 3],
    ].map((terms) => Int32Array.from(terms));
    expect(pairsOf(texts, 2, 10)).toEqual([
      { first: 0, second: 1, texts: 3 },
      { first: 1, second: 2, texts: 2 },
    ]);
    expect(pairsOf(texts, 1, 1)).toEqual([{ first: 0, second: 1, texts: 3 }]);
  });

  it('are found in a text as often as it says them', () => {
    const numbers = numbersOf([
      { first: 0, second: 1, texts: 1 },
      { first: 1, second: 0, texts: 1 },
    ]);
    expect([...pairsIn(Int32Array.of(0, 1, 0, 1, 2), numbers)]).toEqual([0, 1, 0]);
  });

  it('are kept where they move most: by length and by texts', () => {
    const pairs = [10, 2, 4].map((texts, at) => ({ first: at, second: at + 1, texts }));
    const lengths = [0.1, 2, 1];
    expect(tellingPairs(pairs, (pair) => lengths[pair] ?? 0, 2)).toEqual([pairs[1], pairs[2]]);
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
