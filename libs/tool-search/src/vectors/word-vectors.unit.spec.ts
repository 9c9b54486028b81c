import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documentTerms } from '../tokenize.js';
import { MAX_FILE_BYTES } from './vector-file.js';
import {
  loadWordVectors,
  MAX_EMBEDDED_TERMS,
  readWordVectors,
  wordVectorsOf,
  type WordVectors,
} from './word-vectors.js';

const vectors = wordVectorsOf({
  dimensions: 2,
  terms: ['film', 'help', 'movi', 'void'],
  scales: Float32Array.of(0.5, 1, 0.25, 0),
  shares: Float32Array.of(0.25, 0.5, 0, 0),
  components: Int8Array.of(6, 8, 0, 4, 16, -12, 0, 0),
});

describe('word vectors', () => {
  it('give the components of a known term and how common it is; an unknown one is nowhere', () => {
    expect([...(vectors.vectorOf('movi') ?? [])]).toEqual([16, -12]);
    expect(vectors.vectorOf('xylophon')).toBeUndefined();
    expect([vectors.shareOf('help'), vectors.shareOf('xylophon')]).toEqual([0.5, 0]);
    expect([vectors.size, vectors.dimensions]).toEqual([4, 2]);
  });

  it('embed a text as the direction of the sum of its terms, unknown ones left out', () => {
    // film (3, 4), movi (4, -3): the sum (7, 1) has length √50.
    const [x, y] = vectors.embedText(['movi', 'xylophon', 'film']) ?? [];
    expect(x).toBeCloseTo(7 / Math.sqrt(50), 6);
    expect(y).toBeCloseTo(1 / Math.sqrt(50), 6);
  });

  it('tell the cosine of two terms, 0 where one has no direction', () => {
    const cosine = (a: string, b: string): number => vectors.cosineOf(vectors.rowOf(a), vectors.rowOf(b));
    // (6, 8) and (16, -12) are at a right angle, (6, 8) and (0, 4) have 0.8.
    expect(cosine('film', 'movi')).toBe(0);
    expect(cosine('film', 'help')).toBeCloseTo(0.8, 6);
    expect(cosine('help', 'help')).toBeCloseTo(1, 6);
    expect(cosine('film', 'void')).toBe(0);
  });

  it('add the vector of a pair of neighbours, in this order and of one field alone', () => {
    const paired = wordVectorsOf({
      dimensions: 2,
      terms: ['card', 'credit', 'credit card', 'note', 'note paper'],
      scales: new Float32Array(5).fill(1),
      shares: new Float32Array(5),
      components: Int8Array.of(1, 0, 1, 0, 0, 2, 0, 1, 9, 9),
    });
    const direction = (...texts: Parameters<typeof paired.embedText>): number[] => [
      ...(paired.embedText(...texts) ?? []),
    ];
    const half = Math.SQRT1_2;
    expect(direction(['credit', 'card'])).toEqual([expect.closeTo(half, 6), expect.closeTo(half, 6)]);
    expect(direction(['credit', 'xylophon', 'card'])).toEqual([expect.closeTo(half, 6), expect.closeTo(half, 6)]);
    expect(direction(['card', 'credit'])).toEqual([1, 0]);
    expect(direction(['credit'], [{ term: 'card', weight: 1 }])).toEqual([1, 0]);
    const [credit, card] = ['credit', 'card'].map((term) => paired.rowOf(term));
    expect(paired.rowOfPair(credit ?? -1, card ?? -1)).toBe(paired.rowOf('credit card'));
    expect(paired.rowOfPair(card ?? -1, credit ?? -1)).toBe(-1);
    // `paper` has no vector.
    expect(direction(['note', 'paper'])).toEqual([0, 1]);
  });

  it('count a term as often as it stands in the text', () => {
    // film twice (6, 8), movi (4, -3): the sum (10, 5) has length √125.
    const [x, y] = vectors.embedText(['film', 'movi', 'film']) ?? [];
    expect(x).toBeCloseTo(10 / Math.sqrt(125), 6);
    expect(y).toBeCloseTo(5 / Math.sqrt(125), 6);
  });

  it('write the direction of a document from rows and how often each counts', () => {
    const target = new Int8Array(6);
    const rows = ['film', 'movi'].map((term) => vectors.rowOf(term));
    vectors.writeDirection(rows, [2, 1], 2, target, 2);
    const direction = vectors.embedText(['film', 'movi', 'film']) ?? [];
    expect([...target]).toEqual([0, 0, ...[...direction].map((value) => Math.round(127 * value)), 0, 0]);
    expect(vectors.rowOf('xylophon')).toBe(-1);
  });

  it('leave the direction of what has none as it is', () => {
    const target = new Int8Array(2);
    vectors.writeDirection([vectors.rowOf('void')], [3], 1, target, 0);
    expect([...target]).toEqual([0, 0]);
  });

  it('embed nothing when no term is known or the known ones have no direction', () => {
    expect(vectors.embedText([])).toBeUndefined();
    expect(vectors.embedText(['xylophon'])).toBeUndefined();
    expect(vectors.embedText(['void'])).toBeUndefined();
  });

  it('read a bounded number of terms of a text', () => {
    const terms = Array.from({ length: MAX_EMBEDDED_TERMS + 1 }, (_, i) => `t${String(i).padStart(4, '0')}`);
    const many = wordVectorsOf({
      dimensions: 1,
      terms,
      scales: new Float32Array(terms.length).fill(1),
      shares: new Float32Array(terms.length),
      // Were the last term read, it would turn the sum around.
      components: Int8Array.from(terms, (_, i) => (i < MAX_EMBEDDED_TERMS ? (i === 0 ? 1 : 0) : -100)),
    });
    expect([...(many.embedText(terms) ?? [])]).toEqual([1]);
  });

  it('are not read from a file that is too large', () => {
    const folder = mkdtempSync(join(tmpdir(), 'word-vectors-'));
    try {
      const path = join(folder, 'large.bin');
      writeFileSync(path, '');
      truncateSync(path, MAX_FILE_BYTES + 1);
      expect(() => readWordVectors(path)).toThrow('have at most');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the vectors that are shipped', () => {
  const shipped = loadWordVectors();
  const similarity = (a: string, b: string): number => cosine(shipped, documentTerms(a), documentTerms(b));

  it('are read once', () => {
    expect(loadWordVectors()).toBe(shipped);
  });

  it('have terms as the tokenizer of this build makes them', () => {
    const words = 'translation currencies scheduling weather shipping invoices directories authorization subscriber';
    expect(documentTerms(words).filter((term) => shipped.vectorOf(term) === undefined)).toEqual([]);
  });

  it.each([
    ['movie', 'film', 'invoice'],
    ['send an email', 'deliver a message to a mailbox', 'weather forecast'],
    ['will it rain tomorrow', 'weather forecast', 'translate text'],
    ['exchange rate of the dollar', 'currency conversion', 'image upload'],
    ['delete a picture', 'remove photo', 'list invoices'],
  ])('know that %p is nearer to %p than to %p', (text, near, far) => {
    expect(similarity(text, near)).toBeGreaterThan(similarity(text, far));
  });

  it('hold pairs of neighbours', () => {
    const [credit = -1, card = -1] = documentTerms('credit card').map((term) => shipped.rowOf(term));
    expect(shipped.rowOfPair(credit, card)).toBe(shipped.rowOf('credit card'));
    expect(shipped.rowOf('credit card')).not.toBe(-1);
    expect(shipped.rowOfPair(card, credit)).toBe(-1);
  });

  it('know words of all kinds of tools for more common than words of one matter', () => {
    const [common, rare] = ['list get name', 'weather currency movie'].map((text) =>
      documentTerms(text).map((term) => shipped.shareOf(term)),
    );
    expect(Math.min(...(common ?? []))).toBeGreaterThan(Math.max(...(rare ?? [])));
  });
});

function cosine(vectors: WordVectors, a: readonly string[], b: readonly string[]): number {
  const [x, y] = [vectors.embedText(a), vectors.embedText(b)];
  if (x === undefined || y === undefined) throw new Error(`no known term in ${a.join(' ')} or ${b.join(' ')}`);
  return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
}
