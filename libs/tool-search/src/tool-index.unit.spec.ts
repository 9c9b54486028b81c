import { describe, expect, it } from '@jest/globals';
import type { SearchDocument } from './document.js';
import { ToolIndex } from './tool-index.js';

const document = (toolId: string, over: Partial<SearchDocument> = {}): SearchDocument => ({
  toolId,
  name: [],
  description: [],
  provider: [],
  category: [],
  params: [],
  ...over,
});

const catalogue = [
  document('numera.units.convert.v1', {
    name: ['Unit conversion', '单位换算'],
    description: [
      'Converts a quantity from one unit to another: kilometres to miles.',
      '把一个量从一种单位换算成另一种。',
    ],
    params: ['quantity', 'fromUnit', 'to_unit'],
  }),
  document('geokit.distance.compute.v1', {
    name: ['City distance', '城市距离'],
    description: ['Great-circle distance between two cities in kilometres.', '计算两座城市之间的大圆距离。'],
  }),
  document('lingua.language.detect.v1', {
    name: ['Language detection', '语言检测'],
    description: ['Detects the language of a text.', '检测一段文本的语言。'],
  }),
  document('tabular.csv.toJson.v1'.toLowerCase(), {
    name: ['parseCSVFile'],
    description: ['Turns comma-separated rows into JSON.'],
  }),
];
const index = new ToolIndex(catalogue);
const ids = (query: string, limit = 10): string[] => index.search(query, { limit }).map((hit) => hit.toolId);

describe('tool index', () => {
  it('finds a tool by what it does, in English and in Chinese', () => {
    expect(ids('convert units')[0]).toBe('numera.units.convert.v1');
    expect(ids('how far is it between two cities')[0]).toBe('geokit.distance.compute.v1');
    expect(ids('检测文本语言')[0]).toBe('lingua.language.detect.v1');
    expect(ids('城市之间的距离')[0]).toBe('geokit.distance.compute.v1');
  });

  it('brings inflected forms together', () => {
    expect(ids('detecting languages')[0]).toBe('lingua.language.detect.v1');
    expect(ids('city distances')[0]).toBe('geokit.distance.compute.v1');
  });

  it('splits camelCase and snake_case, and folds width and case', () => {
    expect(ids('csv')).toEqual(['tabular.csv.tojson.v1']);
    expect(ids('FILE')).toEqual(['tabular.csv.tojson.v1']);
    expect(ids('from_unit')[0]).toBe('numera.units.convert.v1');
    expect(ids('ＣＳＶ转换为Json')).toContain('tabular.csv.tojson.v1');
  });

  it('answers an exact tool id with that tool alone', () => {
    const hits = index.search(' lingua.language.detect.v1 ', { limit: 10 });
    expect(hits.map((hit) => [hit.toolId, hit.finalScore, hit.exact])).toEqual([
      ['lingua.language.detect.v1', 1, true],
    ]);
  });

  it('is empty when nothing matches, for stop words, and for single shared Chinese characters', () => {
    expect(ids('xylophone')).toEqual([]);
    expect(ids('how do I use the')).toEqual([]);
    expect(ids('一言难尽')).toEqual([]);
    expect(ids('!!!')).toEqual([]);
    expect(new ToolIndex([]).search('anything', { limit: 5 })).toEqual([]);
  });

  it('keeps final scores within 0 and 1, in falling order, and lower for a half-understood query', () => {
    const hits = index.search('distance in kilometres', { limit: 10 });
    expect(hits.length).toBeGreaterThan(1);
    for (const hit of hits) {
      expect(hit.finalScore).toBeGreaterThan(0);
      expect(hit.finalScore).toBeLessThanOrEqual(1);
    }
    expect(hits.map((hit) => hit.score)).toEqual([...hits.map((hit) => hit.score)].sort((a, b) => b - a));
    const [full] = index.search('language', { limit: 1 });
    const [half] = index.search('language xylophone', { limit: 1 });
    expect(half?.finalScore).toBeLessThan(full?.finalScore ?? 0);
  });

  it('orders equal scores by tool id and honours the limit', () => {
    const twins = new ToolIndex(['c', 'a', 'b'].map((letter) => document(`x.${letter}.y.v1`, { name: ['weather'] })));
    expect(twins.search('weather', { limit: 2 }).map((hit) => hit.toolId)).toEqual(['x.a.y.v1', 'x.b.y.v1']);
  });

  it('gives the same answer when asked twice', () => {
    expect(index.search('language of a text', { limit: 10 })).toEqual(
      index.search('language of a text', { limit: 10 }),
    );
  });

  it('says which words matched where', () => {
    const [hit] = index.search('language', { limit: 1 });
    expect(hit?.matches).toEqual([{ word: 'language', fields: ['id', 'name', 'description'] }]);
  });

  it('weighs a name above a description', () => {
    const two = new ToolIndex([
      document('a.a.a.v1', { name: ['report'], description: ['weather'] }),
      document('b.b.b.v1', { name: ['weather'], description: ['report'] }),
    ]);
    expect(two.search('weather', { limit: 1 })[0]?.toolId).toBe('b.b.b.v1');
  });

  it('finds nothing where no hit is good enough, and beside a good one what is half as good, whatever the limit', () => {
    const showingFits = new ToolIndex(catalogue, { judgement: ({ fit }) => fit });
    const scores = showingFits.search('convert language units', { limit: 10 }).map((hit) => hit.finalScore);
    const [best, least] = [Math.max(...scores), Math.min(...scores)];
    expect(least).toBeLessThan(best);
    for (const limit of [1, 10]) {
      const found = (minFit: number) => index.search('convert language units', { limit, minFit }).length;
      expect(found(best)).toBeGreaterThan(0);
      expect(found(best + 0.01)).toBe(0);
    }
    const kept = (minFit: number) => index.search('convert language units', { limit: 10, minFit }).length;
    expect(kept(Math.min(best, 2 * least))).toBe(scores.length);
    expect(kept(best)).toBe(scores.filter((score) => score >= best / 2).length);
  });
});
