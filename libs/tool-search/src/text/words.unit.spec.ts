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

  it('are read into an index as they are read anywhere else', () => {
    const dictionary = new Dictionary();
    const reader = new TermReader(dictionary, {}, 'few');
    for (const text of ['', 'getUser getUser', 'the YouTube of URLs, v2!', '天气 forecast', 'naïve Größe', 'a.b_c-d']) {
      for (const repeated of [false, true, true]) {
        expect(reader.read(text, repeated).map((number) => dictionary.textOf(number))).toEqual(documentTerms(text));
      }
    }
  });
});
