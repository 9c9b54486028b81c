import { describe, expect, it } from '@jest/globals';
import { peaksOf, type MemorySample } from './memory-trend.js';

const sample = (half: MemorySample['half'], bytes: number): MemorySample => ({
  half,
  node: { rss: 2 * bytes, pss: bytes },
  postgres: { rss: 0, pss: 0 },
});

describe('peaksOf', () => {
  it('is the most of each half, wherever in it', () => {
    const samples = [
      sample('first', 5),
      sample('first', 9),
      sample('first', 4),
      sample('second', 7),
      sample('second', 6),
    ];
    expect(peaksOf(samples, ({ node }) => node.pss)).toEqual({ first: 9, second: 7 });
    expect(peaksOf(samples, ({ node }) => node.rss)).toEqual({ first: 18, second: 14 });
  });

  it('makes no figure out of no sample', () => {
    expect(() => peaksOf([sample('first', 5)], ({ node }) => node.pss)).toThrow('second');
  });
});
