import { describe, expect, it } from '@jest/globals';
import { localized, negotiateLanguage } from './language.js';

describe('language of an answer', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['zh', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-GB, zh;q=0.5', 'en'],
    ['fr, de;q=0.9', 'en'],
    ['fr, zh-Hant;q=0.1', 'zh'],
    ['zh;q=0', 'en'],
    ['zh;q=bad', 'en'],
    [';;;,,,', 'en'],
  ])('for Accept-Language %s is %s', (header, language) => {
    expect(negotiateLanguage(undefined, header)).toBe(language);
  });

  it('is what the body asks for, whatever the header says', () => {
    expect(negotiateLanguage('en', 'zh')).toBe('en');
  });

  it('falls back to English text', () => {
    expect(localized({ en: 'a' }, 'zh')).toBe('a');
    expect(localized({ en: 'a', zh: '甲' }, 'zh')).toBe('甲');
  });
});
