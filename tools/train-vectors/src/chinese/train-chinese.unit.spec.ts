import { describe, expect, it } from '@jest/globals';
import { wordVectorsOf } from '@capability-router/tool-search';
import type { EnglishLesson } from './ask-chinese-teacher.js';
import { CHINESE_WORDS, trainChinese } from './train-chinese.js';

const english = wordVectorsOf({
  dimensions: 2,
  terms: ['film', 'weather'],
  scales: Float32Array.of(1, 1),
  shares: Float32Array.of(0, 0),
  components: Int8Array.of(3, 4, 0, 5),
});
const texts = [
  'film',
  'weather',
  'xylophone',
  'weather film',
  'a text that is much too long to stand for a word or two',
];

describe('learning where Chinese words point', () => {
  it('asks about short texts that the English vectors know, and ships the words but those with which people ask', async () => {
    const asked: (readonly EnglishLesson[])[] = [];
    const table = await trainChinese(texts, english, (lessons, count) => {
      asked.push(lessons);
      expect(count).toBe(CHINESE_WORDS);
      return Promise.resolve({ words: ['天气', '里', '电影'], vectors: Float32Array.of(0, 1, 1, 0, 0.6, 0.8) });
    });
    const [lessons = []] = asked;
    expect(lessons.map(({ text }) => text).sort()).toEqual(['film', 'weather', 'weather film']);
    const [x, y] = lessons.find(({ text }) => text === 'film')?.direction ?? [];
    expect([x, y]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)]);
    expect(table.terms).toEqual(['天气', '电影']);
    const shipped = wordVectorsOf(table);
    expect([...(shipped.embedText(['电影']) ?? [])]).toEqual([expect.closeTo(0.6, 1), expect.closeTo(0.8, 1)]);
    expect([...(shipped.embedText(['天气']) ?? [])]).toEqual([0, 1]);
  });
});
