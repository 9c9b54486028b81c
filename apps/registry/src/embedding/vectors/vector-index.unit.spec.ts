import { describe, expect, it } from '@jest/globals';
import { packVector } from './packed-vector.js';
import { VectorIndex } from './vector-index.js';

const SEED = 20_260_101;

/** A linear congruential generator: the same numbers on every machine. */
function randomVectors(count: number, dimensions: number): Float32Array[] {
  let state = SEED;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, next));
}

const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

describe('the index of vectors', () => {
  it(`finds what a full comparison finds, with cosines of a few thousandths (seed ${SEED})`, () => {
    const index = new VectorIndex();
    const vectors = randomVectors(1_000, 64);
    vectors.forEach((vector, at) => index.put(`t${at}`, packVector(vector)));
    let found = 0;
    for (const query of randomVectors(1_020, 64).slice(1_000)) {
      const truth = vectors.map((vector, at) => ({ toolId: `t${at}`, cosine: cosine(query, vector) }));
      truth.sort((a, b) => b.cosine - a.cosine);
      const best = new Map(truth.slice(0, 10).map((entry) => [entry.toolId, entry.cosine]));
      for (const near of index.nearest(query, 10)) {
        const expected = best.get(near.toolId);
        if (expected === undefined) continue;
        found += 1;
        expect(Math.abs(near.cosine - expected)).toBeLessThan(0.01);
      }
    }
    expect(found).toBeGreaterThanOrEqual(190);
  });

  it('replaces and removes', () => {
    const index = new VectorIndex();
    index.put('a', packVector(Float32Array.of(1, 0)));
    index.put('b', packVector(Float32Array.of(0, 1)));
    index.put('a', packVector(Float32Array.of(0, -1)));
    expect(index.nearest(Float32Array.of(1, 0.01), 5).map(({ toolId }) => toolId)).toEqual(['b', 'a']);
    index.remove('b');
    index.remove('unknown');
    expect(index.nearest(Float32Array.of(1, 0), 5).map(({ toolId }) => toolId)).toEqual(['a']);
    expect(index.size).toBe(1);
  });

  it('turns other dimensions away, and finds nothing for them', () => {
    const index = new VectorIndex();
    expect(index.nearest(Float32Array.of(1), 5)).toEqual([]);
    expect(index.put('a', Int8Array.of(1, 2))).toBe(true);
    expect(index.put('b', Int8Array.of(1))).toBe(false);
    expect([index.nearest(Float32Array.of(1), 5), index.size, index.dimensions]).toEqual([[], 1, 2]);
    // The vector of a text that is no more must not be found either.
    expect(index.put('a', Int8Array.of(1))).toBe(false);
    expect([index.nearest(Float32Array.of(1, 2), 5), index.size]).toEqual([[], 0]);
  });
});
