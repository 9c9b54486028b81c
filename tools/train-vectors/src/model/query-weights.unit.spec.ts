import { describe, expect, it } from '@jest/globals';
import { MIN_ORIGINS, queryWeights } from './query-weights.js';
import type { JudgedQuery } from './query-weights.js';

const documents = Array.from({ length: 100 }, (_, i) => new Set([`topic${i}`, ...(i < 5 ? ['would'] : [])]));
const query = (origin: string, topic: number, ...others: string[]): JudgedQuery => ({
  origin,
  terms: new Set([`topic${topic}`, ...others]),
  relevant: [documents[topic] ?? new Set()],
});

describe('query weights', () => {
  it('take little of a term that the right tools never say, and add to one that they always say', () => {
    const queries = Array.from({ length: 40 }, (_, i) =>
      query(`origin${i % 5}`, 90, ...(i % 2 === 0 ? ['would', 'assist'] : [])),
    );
    const weights = queryWeights(queries, documents);
    expect(weights.get('would')).toBeLessThan(0.7);
    expect(weights.get('assist')).toBeLessThan(0.8);
    expect(weights.get('topic90')).toBeGreaterThan(1.2);
    expect(weights.has('topic7')).toBe(false);
  });

  it('are close to 1 without much evidence', () => {
    const queries = Array.from({ length: MIN_ORIGINS }, (_, i) => query(`origin${i}`, 90, 'would'));
    const weight = queryWeights(queries, documents).get('would');
    expect(weight).toBeGreaterThan(0.8);
    expect(weight).toBeLessThan(1);
  });

  it('leave alone what few origins say, however often', () => {
    const queries = Array.from({ length: 400 }, (_, i) => query(`origin${i % (MIN_ORIGINS - 1)}`, 90, 'would'));
    expect(queryWeights(queries, documents).size).toBe(0);
  });

  it('believe several origins more than many queries of one', () => {
    const others = Array.from({ length: MIN_ORIGINS }, (_, i) => query(`origin${i}`, 90, 'would'));
    const ofOne = [...others, ...Array.from({ length: 400 }, () => query('a', 90, 'would'))];
    const ofMany = [...others, ...Array.from({ length: 400 }, (_, i) => query(`origin${i % 8}`, 90, 'would'))];
    const [one, many] = [ofOne, ofMany].map((queries) => queryWeights(queries, documents).get('would') ?? 1);
    expect(many).toBeLessThan(one ?? 0);
  });

  it('stay within their bounds and ignore queries without a tool', () => {
    const weights = queryWeights(
      Array.from({ length: 9_000 }, (_, i) => query(`origin${i % 90}`, 90, 'would')),
      documents,
    );
    expect([weights.get('would'), weights.get('topic90')]).toEqual([0.1, 1.5]);
    expect(queryWeights([{ origin: 'a', terms: new Set(['x']), relevant: [] }], documents).size).toBe(0);
  });
});
