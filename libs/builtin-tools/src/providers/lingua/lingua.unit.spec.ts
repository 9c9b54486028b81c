import { describe, expect, it } from '@jest/globals';
import { runTool } from '../../test-support/run-tool.js';

describe('a number in words', () => {
  it.each([
    ['en', '-21.5', 'minus twenty-one point five'],
    ['zh', '10050', '一万零五十'],
    ['de', '1234', 'eintausendzweihundertvierunddreißig'],
    ['fr', '80', 'quatre-vingts'],
    ['ja', '300', '三百'],
  ])('in %s: %s', async (language, number, words) => {
    expect(await runTool('lingua.number.to_words.v1', { number, language })).toMatchObject({ words });
  });

  it('is written in the numerals of Chinese finance on request', async () => {
    const parameters = { number: '1234', language: 'zh', formal: true };
    expect(await runTool('lingua.number.to_words.v1', parameters)).toMatchObject({ words: '壹仟贰佰叁拾肆' });
  });
});

describe('a language', () => {
  it.each([
    [{ language_code: 'chi' }, { iso_639_1: 'zh', iso_639_3: 'zho', own_name: '中文' }],
    [{ language_code: 'ar' }, { name: 'Arabic', right_to_left: true }],
    [{ language_name: 'latin' }, { iso_639_1: 'la', name_zh: '拉丁语' }],
  ])('is found by %j', async (parameters, expected) => {
    expect(await runTool('lingua.language.facts.v1', parameters)).toMatchObject(expected);
  });

  it('that does not exist has no answer', async () => {
    expect(await runTool('lingua.language.facts.v1', { language_code: 'qqq' })).toBeNull();
  });
});

it('writes pinyin with numbers, or without tones, and leaves other letters alone', async () => {
  const pinyin = (tones: string) => runTool('lingua.pinyin.convert.v1', { text: '中文 ABC', tones });
  expect(await pinyin('numbers')).toMatchObject({ pinyin: expect.stringContaining('zhong1 wen2') });
  expect(await pinyin('none')).toMatchObject({ pinyin: expect.stringMatching(/^zhong wen\s+ABC$/) });
});

it('has no readability of a text without words, and rates long words as harder', async () => {
  expect(await runTool('lingua.readability.score.v1', { text: '12 34 …' })).toBeNull();
  const hard = 'Institutional accountability necessitates comprehensive organizational transparency.';
  expect(await runTool('lingua.readability.score.v1', { text: hard })).toMatchObject({
    word_count: 6,
    sentence_count: 1,
  });
  const grade = async (text: string) => {
    const answer = (await runTool('lingua.readability.score.v1', { text })) as { grade_levels: { smog: number } };
    return answer.grade_levels.smog;
  };
  expect(await grade(hard)).toBeGreaterThan(await grade('We like to play in the park.'));
});
