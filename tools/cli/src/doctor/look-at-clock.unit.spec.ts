import { expect, it } from '@jest/globals';
import { clockFinding } from './look-at-clock.js';

it.each([
  ['within the time of the question', 1_500, 'ok'],
  ['a second that a header cuts off', 100, 'ok'],
  ['ahead', 12_000, 'warning'],
  ['behind', -9_000, 'warning'],
])('a clock %s', (_name, theirMs, state) => {
  expect(clockFinding('clock', theirMs, 1_000, 2_000).state).toBe(state);
});
