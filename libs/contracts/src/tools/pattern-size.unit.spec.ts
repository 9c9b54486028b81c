import { expect, it } from '@jest/globals';
import { patternSize } from './pattern-size.js';

it.each([
  ['abc', 3],
  ['^[a-zé]{0,255}$', 257],
  ['a{3,}b', 5],
  ['a*b+?', 5],
  ['(a{10}b{20}){50}', 1_550],
  ['(?<name>a|b){2}', 8],
  ['(?:ab){2}', 6],
  ['\\p{L}{5}', 25],
  ['[\\p{L}\\]x]{2}', 10],
  ['\\{2\\}', 3],
  ['a{2}{3}', 6],
  ['((((', 0],
])('the pattern %s has %d characters with its repetitions written out', (pattern, size) => {
  expect(patternSize(pattern)).toBe(size);
});
