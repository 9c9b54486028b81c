import { expect, it } from '@jest/globals';
import { isChosen, matchesGlob } from './matches-glob.js';

it.each<[string, string, boolean]>([
  ['*', '', true],
  ['get *', 'GET /pets', true],
  ['GET /pets', 'GET /pets/1', false],
  ['*pets*list*', 'v1/pets/x/list', true],
  ['a*b*c', 'abbcb', false],
  ['a**', 'a', true],
  ['', 'a', false],
])('%j against %j is %s', (pattern, text, matches) => {
  expect(matchesGlob(pattern, text)).toBe(matches);
});

it('ends for a pattern that would keep a regular expression busy for ever', () => {
  expect(matchesGlob('*a'.repeat(100) + 'b', 'a'.repeat(1_000))).toBe(false);
});

it('chooses by any name of a tool, and leaves out by any', () => {
  expect(isChosen({}, ['x'])).toBe(true);
  expect(isChosen({ include: ['y', 'x'] }, ['a', 'x'])).toBe(true);
  expect(isChosen({ include: ['*'], exclude: ['a'] }, ['a', 'x'])).toBe(false);
});
