import { describe, expect, it } from '@jest/globals';
import { portablePattern } from './portable-pattern.js';

describe('a pattern of the document', () => {
  it.each<[string, RegExp, string]>([
    ['the classes of Unicode', /^[^\p{Cc}\p{Cs}]*$/u, String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`],
    ['the complement of one', /^(?=.*\S)\P{Cc}*$/u, String.raw`^(?=.*\S)[^\u0000-\u001f\u007f-\u009f]*$`],
    ['a zero byte', /^[^\0]{1,200}$/, String.raw`^[^\u0000]{1,200}$`],
    ['a flag', /^a.b$/s, '^a[^]b$'],
  ])('says without it what %s says', (_what, pattern, portable) => {
    expect(portablePattern(pattern)).toBe(portable);
  });

  it.each(['', 'a', 'ä', '\u0000', '\u001f', '\u007f', '\u009f', '\u00a0', 'a\nb', '\u{1f600}'])(
    'holds for %j where the one of the code does',
    (text) => {
      for (const pattern of [/^[^\p{Cc}\p{Cs}]*$/u, /^(?=.*\S)\P{Cc}*$/u, /^[^\0]{1,200}$/]) {
        expect(new RegExp(portablePattern(pattern), 'u').test(text)).toBe(pattern.test(text));
      }
    },
  );
});
