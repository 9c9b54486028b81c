import { describe, expect, it } from '@jest/globals';
import { Dictionary } from '../index/dictionary.js';
import { isOneEditAway, SpellingIndex } from './spelling.js';

function spellingOf(frequencies: Readonly<Record<string, number>>) {
  const dictionary = new Dictionary();
  for (const [term, frequency] of Object.entries(frequencies)) {
    dictionary.countDocuments(dictionary.add(term), frequency);
  }
  const spelling = new SpellingIndex(dictionary);
  return (word: string): string | undefined => {
    const number = spelling.closest(word);
    return number === undefined ? undefined : dictionary.textOf(number);
  };
}

describe('one edit', () => {
  it.each([
    ['weather', 'wether', true],
    ['weather', 'weatther', true],
    ['weather', 'weathar', true],
    ['weather', 'waether', true],
    ['weather', 'weather', false],
    ['weather', 'waethre', false],
    ['weather', 'feathers', false],
    ['weather', 'weathered', false],
  ])('parts %s and %s: %s', (a, b, expected) => {
    expect(isOneEditAway(a, b)).toBe(expected);
    expect(isOneEditAway(b, a)).toBe(expected);
  });
});

describe('a misspelt word', () => {
  it('means the most frequent neighbour with the same first letter', () => {
    const closest = spellingOf({ weather: 5, weathar: 1, feather: 9 });
    expect(closest('weathr')).toBe('weather');
    expect(closest('leather')).toBeUndefined();
  });

  it('means nothing when it is short, no English word, or only near a term that no tool holds any more', () => {
    const closest = spellingOf({ text: 3, weather: 0, größe: 2 });
    for (const word of ['test', 'wether', 'größen', '天气', '']) expect(closest(word)).toBeUndefined();
  });

  it('is compared with terms that came later, too', () => {
    const dictionary = new Dictionary();
    const spelling = new SpellingIndex(dictionary);
    expect(spelling.closest('forcast')).toBeUndefined();
    dictionary.countDocuments(dictionary.add('forecast'), 1);
    expect(spelling.closest('forcast')).toBe(dictionary.numberOf('forecast'));
  });
});
