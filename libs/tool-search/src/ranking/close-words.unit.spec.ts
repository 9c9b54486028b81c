import { describe, expect, it } from '@jest/globals';
import { ChineseGlosses } from '../glosses/index.js';
import { sampleDocument } from '../test-support/sample-document.js';
import { ToolIndex, type ToolIndexOptions } from '../tool-index.js';
import { wordVectorsOf } from '../vectors/index.js';

/** `film` and `movi` point nearly alike, `ship` and `deliveri` too, `music` elsewhere; `片` is a film. */
const rows = {
  deliveri: [0, 99, 14],
  film: [100, 0, 0],
  list: [0, 0, 100],
  movi: [90, 0, 44],
  music: [-60, -60, 53],
  parcel: [40, 40, 82],
  ship: [0, 100, 0],
  片子: [98, 0, 20],
} as const;
const wordVectors = wordVectorsOf({
  dimensions: 3,
  terms: Object.keys(rows),
  scales: new Float32Array(Object.keys(rows).length).fill(0.01),
  shares: new Float32Array(Object.keys(rows).length),
  components: Int8Array.from(Object.values(rows).flat()),
});
/** Nothing but the closer look counts. */
const nothing = { fields: 0.001, plain: 0, bestSentence: 0, nearestSentence: 0, pairs: 0, vectors: 0 };
const only = (weights: { name?: number; words?: number; leastWord?: number }, options: ToolIndexOptions = {}) => ({
  wordVectors,
  ...options,
  weights: { ...nothing, name: 0, words: 0, leastWord: 0, ...weights },
});
const tools = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([toolId, name]) => sampleDocument(toolId, { name: [name] }));
const ranked = (names: Readonly<Record<string, string>>, query: string, options: ToolIndexOptions): string[] =>
  new ToolIndex(tools(names), options).search(query, { limit: 10 }).map(({ toolId }) => toolId);

describe('a closer look at the words of a hit', () => {
  it('puts first a name that the query nearly says, and before it one that it says', () => {
    const names = { 'a.other': 'music list', 'b.near': 'movie list', 'c.said': 'film list' };
    expect(ranked(names, 'film list', only({ name: 1 }))).toEqual(['c.said', 'b.near', 'a.other']);
  });

  it('holds a further word of the name against it that the query comes nowhere near', () => {
    const names = { 'a.more': 'movie list music', 'b.near': 'movie list' };
    expect(ranked(names, 'film list', only({ name: 1 }))).toEqual(['b.near', 'a.more']);
  });

  it('puts first the tool that comes near to each word of a short query', () => {
    const names = { 'a.half': 'list ship', 'b.each': 'list movie delivery' };
    expect(ranked(names, 'film ship list', only({ words: 1 }))).toEqual(['b.each', 'a.half']);
  });

  it('judges a tool by the word to which it is least near', () => {
    // `a` says one word and misses the other, `b` is a little near to both.
    const names = { 'a.one': 'film', 'b.both': 'parcel' };
    expect(ranked(names, 'film ship', only({ leastWord: 1 }))[0]).toBe('b.both');
    expect(ranked(names, 'film ship', only({ words: 1 }))[0]).toBe('a.one');
  });

  it('does not ask a long query for each word', () => {
    const names = { 'a.half': 'list ship', 'b.each': 'list movie delivery' };
    const story =
      'alpha bravo charlie echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo';
    expect(ranked(names, `film ship list ${story}`, only({ words: 1, leastWord: 1 }))[0]).toBe('a.half');
  });

  it('takes a Chinese word for what its vector says, and where it has none for its English words', () => {
    const glosses = new ChineseGlosses([
      ['列表', ['list']],
      ['片子', ['slice', 'ship']],
      ['音乐', ['music']],
    ]);
    const names = { 'a.ship': 'delivery list', 'b.film': 'movie list', 'c.music': 'music list' };
    expect(ranked(names, '片子列表', only({ name: 1 }, { glosses }))[0]).toBe('b.film');
    expect(ranked(names, '音乐列表', only({ name: 1 }, { glosses }))[0]).toBe('c.music');
  });

  it('compares letter by letter where there are no vectors', () => {
    const names = { 'a.other': 'movie list', 'b.said': 'film list' };
    const { weights } = only({ name: 1 });
    expect(ranked(names, 'film list', { weights })).toEqual(['b.said', 'a.other']);
  });

  it('knows words that came after it was first asked', () => {
    const index = new ToolIndex(tools({ 'a.other': 'music list' }), only({ name: 1 }));
    expect(index.search('film list', { limit: 1 })[0]?.toolId).toBe('a.other');
    index.upsert(tools({ 'b.near': 'movie list' }));
    expect(index.search('film list', { limit: 1 })[0]?.toolId).toBe('b.near');
  });
});
