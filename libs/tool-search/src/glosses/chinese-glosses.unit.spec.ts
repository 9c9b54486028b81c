import { describe, expect, it } from '@jest/globals';
import { ChineseGlosses, loadChineseGlosses, loadChineseGlossesApart } from './index.js';

const glosses = new ChineseGlosses([
  ['天气', ['weather']],
  ['天气预报', ['weather', 'forecast']],
  ['报', ['report', 'newspaper', 'announce', 'inform', 'reply']],
]);

describe('glosses of Chinese words', () => {
  it('are those of the longest headword at each place; what is none is passed over', () => {
    expect(glosses.of('看天气预报报').map(({ chinese, english }) => [chinese, english])).toEqual([
      ['天气预报', 'weather'],
      ['天气预报', 'forecast'],
      ['报', 'report'],
      ['报', 'newspaper'],
      ['报', 'announce'],
      ['报', 'inform'],
    ]);
  });

  it('count less by rank, at most four of a word', () => {
    const weights = glosses.of('报').map(({ weight }) => weight);
    expect(weights).toHaveLength(4);
    weights.forEach((weight, rank) => expect(weight).toBeCloseTo(0.8 ** (rank + 1), 12));
  });

  it('are none for no Chinese, nothing, and a broken character', () => {
    expect(['', 'weather', '\ud83d'].map((run) => glosses.of(run))).toEqual([[], [], []]);
  });

  it('come from CC-CEDICT, simplified and traditional', () => {
    const dictionary = loadChineseGlosses();
    expect(dictionary.size).toBeGreaterThan(100_000);
    for (const word of ['天气', '天氣']) expect(dictionary.of(word)[0]?.english).toBe('weather');
    expect(loadChineseGlosses()).toBe(dictionary);
  });

  it('are the same when they were read in a thread', async () => {
    const apart = await loadChineseGlossesApart();
    const here = loadChineseGlosses();
    expect(apart.size).toBe(here.size);
    for (const run of ['查询明天的天气预报', '汇率换算', '把文本翻译成英文'])
      expect(apart.of(run)).toEqual(here.of(run));
    expect(await loadChineseGlossesApart()).toBe(apart);
  });
});
