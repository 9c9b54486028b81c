import { describe, expect, it } from '@jest/globals';
import { ChineseGlosses } from './chinese-glosses.js';
import { inEnglish } from './in-english.js';

const glosses = new ChineseGlosses([
  ['天气', ['weather', 'climate', 'mood']],
  ['明天', ['tomorrow']],
  ['的', ['of']],
]);

describe('a text in English', () => {
  it('has the best words of the dictionary for Chinese ones, and its other words as they stand', () => {
    expect(inEnglish('明天的天气 PDF', glosses)).toBe('tomorrow weather climate pdf');
  });

  it('has nothing for words that count, join and ask', () => {
    const measured = new ChineseGlosses([
      ['一', ['one', 'single']],
      ['张', ['open', 'sheet']],
      ['照片', ['photo']],
      ['里', ['lining', 'interior']],
    ]);
    expect(inEnglish('一张照片里', measured)).toBe('photo');
  });

  it('has nothing for what the dictionary does not have', () => {
    expect(inEnglish('鑫', glosses)).toBe('');
    expect(inEnglish('weather tomorrow', glosses)).toBe('weather tomorrow');
  });
});
