import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { dictionaryFile } from './dictionary-file.js';
import { ChineseGlosses, loadChineseGlosses, loadChineseGlossesApart } from './index.js';
import { keepGlosses, keptGlosses } from './kept-glosses.js';

const glosses = new ChineseGlosses([
  ['天气', ['weather']],
  ['天气预报', ['weather', 'forecast']],
  ['报', ['report', 'newspaper', 'announce', 'inform', 'reply', 'tell', 'bulletin', 'return', 'respond']],
]);

describe('glosses of Chinese words', () => {
  it('are those of the longest headword at each place; what is none is passed over', () => {
    expect(glosses.of('看天气预报').map(({ chinese, english }) => [chinese, english])).toEqual([
      ['天气预报', 'weather'],
      ['天气预报', 'forecast'],
    ]);
  });

  it('are those of words that end where words end, and not of what two words make together', () => {
    const overlapping = new ChineseGlosses([
      ['一', ['one']],
      ['事项', ['item']],
      ['办', ['manage']],
      ['办事', ['handle']],
      ['名', ['name']],
      ['名学', ['logic']],
      ['学生', ['student']],
      ['待', ['wait']],
    ]);
    const words = (run: string) => overlapping.of(run).map(({ chinese }) => chinese);
    expect(words('一名学生')).toEqual(['一', '名', '学生']);
    expect(words('待办事项')).toEqual(['待', '办', '事项']);
  });

  it('are at most eight of a word', () => {
    expect(
      glosses
        .of('报')
        .map(({ english }) => english)
        .join(' '),
    ).toBe('report newspaper announce inform reply tell bulletin return');
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

  it('are none of a word that says nothing, and not those of a character in it', () => {
    // `hello; hi`; `good` alone
    for (const word of ['你好', '谢谢', '怎么']) expect(loadChineseGlosses().of(word)).toEqual([]);
    expect(loadChineseGlosses().of('好')).not.toEqual([]);
  });

  it('come best first: a word of many meanings, and one that is a meaning alone', () => {
    const first = (word: string, count: number) =>
      loadChineseGlosses()
        .of(word)
        .slice(0, count)
        .map(({ english }) => english);
    // `bank account; online account`
    expect(first('账户', 1)).toEqual(['account']);
    // `wine shop; pub (tavern); hotel; …`
    expect(first('酒店', 2)).toContain('hotel');
    expect(first('酒店', 2)).not.toContain('wine');
  });

  it('are the same when they were read in a thread', async () => {
    const apart = await loadChineseGlossesApart();
    const here = loadChineseGlosses();
    expect(apart.size).toBe(here.size);
    for (const run of ['查询明天的天气预报', '汇率换算', '把文本翻译成英文'])
      expect(apart.of(run)).toEqual(here.of(run));
    expect(await loadChineseGlossesApart()).toBe(apart);
  });

  it('are the same when an earlier start has kept them, and nothing is kept of another dictionary, damaged or cut', () => {
    const packages = mkdtempSync(join(tmpdir(), 'glosses-'));
    try {
      const dictionary = { ...dictionaryFile(), packages };
      expect(keptGlosses(dictionary)).toBeUndefined();
      keepGlosses(dictionary, glosses.packed);
      const kept = keptGlosses(dictionary);
      expect(kept).toEqual(glosses.packed);
      expect(keptGlosses({ ...dictionary, bytes: dictionary.bytes + 1 })).toBeUndefined();
      const folder = join(packages, '.cache/capability-router');
      const [file = ''] = readdirSync(folder);
      const bytes = readFileSync(join(folder, file));
      writeFileSync(join(folder, file), bytes.subarray(0, bytes.length - 9));
      expect(keptGlosses(dictionary)).toBeUndefined();
      writeFileSync(join(folder, file), serialize({ ...glosses.packed, wordNumbers: new Uint16Array(1) }));
      expect(keptGlosses(dictionary)).toBeUndefined();
      keepGlosses({ ...dictionary, version: '2.0.0' }, glosses.packed);
      expect(readdirSync(folder)).toHaveLength(1);
    } finally {
      rmSync(packages, { recursive: true });
    }
  });

  it('are read anew where nothing can be kept', () => {
    const dictionary = { ...dictionaryFile(), packages: '/dev/null' };
    keepGlosses(dictionary, glosses.packed);
    expect(keptGlosses(dictionary)).toBeUndefined();
  });
});
