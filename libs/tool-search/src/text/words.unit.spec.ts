import { describe, expect, it } from '@jest/globals';
import { Dictionary } from '../index/dictionary.js';
import { TermReader } from '../index/term-reader.js';
import { documentTerms } from '../tokenize.js';
import { wordsOf } from './words.js';

describe('words of a text', () => {
  it.each([
    ['parseCSVFiles', ['parse', 'csv', 'files']],
    ['get_user-by.name', ['get', 'user', 'by', 'name']],
    ['YouTube', ['you', 'tube', 'youtube']],
    ['list URLs and APIs', ['list', 'urls', 'and', 'apis']],
    ['OAuth2Token', ['o', 'auth2', 'token', 'oauth2token']],
    ['weather.v2', ['weather']],
    ['ＣＳＶ转换为Json', ['csv', '转换为', 'json']],
    ['Größe', ['größe']],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('leaves out what is too long to be a word', () => {
    expect(wordsOf(`${'a'.repeat(65)} ${'b'.repeat(64)}`)).toEqual(['b'.repeat(64)]);
  });

  it.each([
    [''],
    ['getUser getUser'],
    ['the YouTube of URLs, v2!'],
    ['天气 forecast'],
    ['naïve Größe'],
    ['a.b_c-d'],
    ['x'.repeat(5_000) + ' late'],
    ['weather', 'weather of', 'a city'],
    ['weather', '天气', 'of a city'],
  ])('are read into an index as they are read anywhere else: %j', (...texts) => {
    const dictionary = new Dictionary();
    const reader = new TermReader(dictionary, {}, 'few');
    const expected = texts.flatMap((text) => documentTerms(text));
    for (const time of ['fresh', 'remembered']) {
      reader.read(texts);
      const read = Array.from(reader.numbers.subarray(0, reader.length), (number) => dictionary.textOf(number));
      expect([time, read]).toEqual([time, expected]);
    }
  });

  it('are read alike when more runs came than are remembered', () => {
    const dictionary = new Dictionary();
    const reader = new TermReader(dictionary, {}, 'few');
    const runs = Array.from({ length: 5_000 }, (_, number) => `run${number.toString(36)}x`);
    for (const part of [runs, runs.toReversed()]) {
      reader.read([part.join(' ')]);
      const read = Array.from(reader.numbers.subarray(0, reader.length), (number) => dictionary.textOf(number));
      expect(read).toEqual(documentTerms(part.join(' ')));
    }
  });
});
